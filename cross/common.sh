# shellcheck shell=bash disable=SC2034
# Shared by `sysroot` and `build`: messages, the cache, the targets, the C compiler.

cross=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${TINYUPDATER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tinyupdater}
umask 022

say() { printf 'cross: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

targets=(x86_64 aarch64 armv7 riscv64)

# Sets what differs between targets, and `recipes`, the directory of those that are not as in libraries. `libc` names header directories inside the compiler's lib/libc/include;
# `machine_flags` choose a variant of the processor for the Swift compiler, where it does not choose the other's.
select_target() {
    target=$1 machine_flags=() recipes=libraries libc_version=''
    case $target in
    x86_64)
        zig_target=x86_64-linux-musl swift_triple=x86_64-unknown-none-elf openssl_target=linux-x86_64
        libc=(x86_64-linux-musl generic-musl x86-linux-any any-linux-any)
        ;;
    aarch64)
        zig_target=aarch64-linux-musl swift_triple=aarch64-none-none-elf openssl_target=linux-aarch64
        libc=(aarch64-linux-musl generic-musl aarch64-linux-any any-linux-any)
        ;;
    armv7)
        # Soft-float calling convention, because that is what Swift's armv7-none-none-eabi objects have.
        zig_target=arm-linux-musleabi swift_triple=armv7-none-none-eabi openssl_target=linux-armv4
        libc=(arm-linux-musl generic-musl arm-linux-any any-linux-any)
        ;;
    riscv64)
        # The calling convention with floating-point registers, as musl has it; Swift's own choice would be soft-float.
        zig_target=riscv64-linux-musl swift_triple=riscv64-none-none-eabi openssl_target=linux64-riscv64
        libc=(riscv64-linux-musl generic-musl riscv-linux-any any-linux-any)
        machine_flags=(-march=rv64gc -mabi=lp64d)
        ;;
    x86_64-publisher | aarch64-publisher)
        # With the C library of this machine, because Swift's runtime library is for that one; static all the same.
        zig_target=${target%-publisher}-linux-gnu openssl_target=linux-${target%-publisher}
        libc_version=.$(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2) recipes=publisher
        ;;
    *) fail "there is no target '$target'; choose one of: ${targets[*]}" ;;
    esac
}

# hold NAME: keeps the lock until this shell ends, so that two runs do not build the same thing.
hold() {
    mkdir -p "$cache"
    exec 9>"$cache/$1.lock"
    flock --nonblock 9 || { say "waiting for another run to finish $1"; flock 9; }
}

# logged NAME COMMAND…: output goes to a log whose end is shown upon failure. In a function, `set -e` has no effect here.
logged() {
    local log="$cache/logs/$1.log"
    shift
    mkdir -p "$cache/logs"
    "$@" >"$log" 2>&1 && return
    tail -n 30 "$log" >&2
    fail "failed; the whole log is $log"
}

# The directory of the Swift toolchain's other tools: clang, llvm-ar. What is on PATH may only start the toolchain.
swift_tools() {
    local runtime
    runtime=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
    (cd "$runtime/../../bin" && pwd)
}

install_compiler() {
    local venv=$1 python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import ensurepip, venv' 2>/dev/null; then
            rm -rf "$venv.new"
            "$python" -m venv "$venv.new" &&
                "$venv.new/bin/python" -m pip install --no-deps --require-hashes -r "$cross/requirements.txt" &&
                mv "$venv.new" "$venv"
            return
        fi
    done
    echo "no python3 with venv; run scripts/setup cross"
    return 1
}

# Sets `zig`, and makes the directories in `libc` absolute.
need_compiler() {
    local venv package files
    # While it makes the C library it holds 1,400 files open; it raises its own limit, up to this one.
    files=$(ulimit -H -n)
    [ "$files" = unlimited ] || [ "$files" -ge 2048 ] ||
        fail "the C compiler opens more than the $files files that are allowed here; allow 4096 (ulimit -n 4096, podman build --ulimit nofile=4096:4096)"
    venv=$cache/compiler-$(sha256sum "$cross/requirements.txt" | cut -c 1-12)
    if [ ! -d "$venv" ]; then
        say "installing the C compiler"
        (hold compiler && { [ -d "$venv" ] || logged compiler install_compiler "$venv"; })
    fi
    package=$("$venv/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')
    zig=$package/zig
    libc=("${libc[@]/#/$package/lib/libc/include/}")
    export ZIG_GLOBAL_CACHE_DIR="$cache/compiler-cache" ZIG_LOCAL_CACHE_DIR="$cache/compiler-cache"
}
