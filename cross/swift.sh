# shellcheck shell=bash disable=SC2154
# Shared by `build` and `library`: the Swift compiler for a target. Uses `root`, `scratch`, and what select_target sets.

# toolset DIRECTORY…: these C headers for the Swift and the C compiler, and none of this machine's.
toolset() {
    local directory c_flags=(-D__linux__ -DTU_SYSROOT -nostdlibinc "${machine_flags[@]}") swift_flags=() flag
    for directory; do
        c_flags+=(-isystem "$directory")
    done
    for flag in "${c_flags[@]}"; do
        swift_flags+=(-Xcc "$flag")
    done
    # A function of its own in each section: the linker leaves out what this program does not use.
    # Paths relative to the checkout: nothing depends on where it is.
    swift_flags+=(-Xfrontend -function-sections -Xfrontend -enable-stack-protector -file-prefix-map "$root=.")
    c_flags+=(-Os -fPIE -fstack-protector-strong -ffunction-sections -fdata-sections "-ffile-prefix-map=$root=.")
    cat <<JSON
{
  "schemaVersion": "1.0",
  "swiftCompiler": { "extraCLIOptions": [$(quoted "${swift_flags[@]}")] },
  "cCompiler": { "extraCLIOptions": [$(quoted "${c_flags[@]}")] }
}
JSON
}

quoted() {
    local list
    list=$(printf ', "%s"' "$@")
    printf '%s' "${list#, }"
}

# compile PRODUCT SCRATCH [OPTION…]: makes SCRATCH/release/libPRODUCT.a.
compile() {
    local product=$1 results=$2
    shift 2
    cd "$root"
    # Objects of sources that are gone would stay in it.
    rm -f "$results/release/lib$product.a"
    TINYUPDATER_EMBEDDED=1 swift build -c release --product "$product" \
        --triple "$swift_triple" --toolset "$scratch/toolset.json" --scratch-path "$results" "$@"
}

# Swift's tables of Unicode's properties.
unicode_tables() (
    local runtime object
    runtime=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
    cd "$scratch"
    cp "$runtime/embedded/$swift_triple/libswiftUnicodeDataTables.a" .
    [ "$target" = riscv64 ] || return 0
    # They are marked as soft-float, which only matters to functions with floating-point parameters. There are none,
    # and the linker wants one mark in all objects: 5 in place of 1 in the ELF header's flags (the 49th byte).
    mkdir tables
    cd tables
    "$zig" ar x ../libswiftUnicodeDataTables.a
    for object in *.o; do printf '\5' | dd of="$object" bs=1 seek=48 conv=notrunc status=none; done
    rm ../libswiftUnicodeDataTables.a
    "$zig" ar rcs ../libswiftUnicodeDataTables.a ./*.o
)
