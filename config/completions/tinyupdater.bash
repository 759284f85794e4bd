# Completions of tinyupdater(8). `make completions` writes this file from the table in Sources/TinyUpdater/CommandLine.

_tinyupdater_ids() {
    tinyupdater "$@" --json status 2>/dev/null | grep -qE '"(release|newest)":' &&
        tinyupdater "$@" --json list --tree 2>/dev/null |
        sed -n 's/^{"event":"[a-z]*","id":"\([^"$`();&|<>*?{}!~#'\''[]*\)".*/\1/p'
}

# The first argument is true or false.
_tinyupdater_groups() {
    local selected=$1
    shift
    tinyupdater "$@" --json groups 2>/dev/null |
        sed -n '/"name":"base"/d; s/^{"event":"group","name":"\([^"$`();&|<>*?{}!~#'\''[]*\)","selected":'"$selected"',.*/\1/p'
}

_tinyupdater_releases() {
    tinyupdater "$@" --json status 2>/dev/null |
        grep -oE '"(newest|standby)":\{[^}]*|"blocked":\[[^]]*' | grep -oE '"label":"[^"]*"' |
        sed -n 's/"label":"\([^"$`();&|<>*?{}!~#'\''[]*\)"/\1/p' | sort -u
}

_tinyupdater() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= operands=() settings=() index
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
        -c | --config | --root)
            settings+=("${COMP_WORDS[index]}" "${COMP_WORDS[++index]}") ;;
        --repository | --from | --trusted-root | --limit | --release | --radius | --within | --route | --operation | --depth | --lang | --memory | --format | -o | --output) index=$((index + 1)) ;;
        -*) ;;
        *) if [ -z "$command" ]; then command=${COMP_WORDS[index]}; else operands+=("${COMP_WORDS[index]}"); fi ;;
        esac
    done
    case $before in
    -c | --config | --trusted-root | --route | -o | --output) _tinyupdater_reply -f; return ;;
    --root) _tinyupdater_reply -d; return ;;
    --release)
        _tinyupdater_reply -W "$(_tinyupdater_releases "${settings[@]}")"
        return ;;
    --repository | --limit | --radius | --within | --operation | --depth | --lang | --memory | --format) return ;;
    esac
    case $command in
    "")
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help --version' ;;
        *) _tinyupdater_reply -W 'check plan apply install uninstall repair cancel list at near along polygons position groups status history verify watch serve activate rollback confirm boot provision export support patch help' ;;
        esac
        return ;;
    help) [ ${#operands[@]} -gt 0 ] || _tinyupdater_reply -W 'check plan apply install uninstall repair cancel list at near along polygons position groups status history verify watch serve activate rollback confirm boot provision export support patch' ;;
    check)
        case $word in
        -*) _tinyupdater_reply -W '--from --spread -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    plan)
        case $word in
        -*) _tinyupdater_reply -W '--from -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    apply)
        case $word in
        -*) _tinyupdater_reply -W '--from --no-wait --spread --release --stage -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    install)
        case $word in
        -*) _tinyupdater_reply -W '--from --no-wait -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    uninstall)
        case $word in
        -*) _tinyupdater_reply -W '--no-wait -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    repair)
        case $word in
        -*) _tinyupdater_reply -W '--from --no-wait -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    cancel)
        case $word in
        -*) _tinyupdater_reply -W '--operation -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    list)
        case $word in
        -*) _tinyupdater_reply -W '--tree --composite --depth --installed --updates --lang -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    at)
        case $word in
        -*) _tinyupdater_reply -W '--lang -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    near)
        case $word in
        -*) _tinyupdater_reply -W '--radius --install --no-wait --lang -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    along)
        case $word in
        -*) _tinyupdater_reply -W '--within --install --no-wait --lang -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -f ;;
        esac ;;
    polygons)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    position)
        case $word in
        -*) _tinyupdater_reply -W '--route -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    groups)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) case ${operands[0]} in
            "") _tinyupdater_reply -W 'select deselect' ;;
            select) _tinyupdater_reply -W "$(_tinyupdater_groups false "${settings[@]}")" ;;
            deselect) _tinyupdater_reply -W "$(_tinyupdater_groups true "${settings[@]}")" ;;
            esac ;;
        esac ;;
    status)
        case $word in
        -*) _tinyupdater_reply -W '--format -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    history)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    verify)
        case $word in
        -*) _tinyupdater_reply -W '--limit -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    watch)
        case $word in
        -*) _tinyupdater_reply -W '--lang -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    serve)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    activate)
        case $word in
        -*) _tinyupdater_reply -W '--release -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    rollback)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    confirm)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    boot)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    provision)
        case $word in
        -*) _tinyupdater_reply -W '--from --trusted-root -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -W "$(_tinyupdater_ids "${settings[@]}")" ;;
        esac ;;
    export)
        case $word in
        -*) _tinyupdater_reply -W '-c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) _tinyupdater_reply -d ;;
        esac ;;
    support)
        case $word in
        -*) _tinyupdater_reply -W '-o --output -c --config --root --repository -j --json -q --quiet -v --verbose -h --help' ;;
        *) ;;
        esac ;;
    patch)
        case $word in
        -*) _tinyupdater_reply -W '--memory -q --quiet -h --help' ;;
        *) _tinyupdater_reply -f ;;
        esac ;;
    esac
}

# Answers with what compgen makes of its arguments and the word.
_tinyupdater_reply() {
    mapfile -t COMPREPLY < <(compgen "$@" -- "$word")
    case $1 in -f | -d) compopt -o filenames 2>/dev/null ;; esac
}

complete -F _tinyupdater tinyupdater
