# bash completion for heddle: asks the command itself, so it is never out of date.

_heddle_options() {
    heddle help "$1" 2> /dev/null | sed -n 's/^ *\(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'
}

_heddle() {
    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        local verbs
        verbs=$(heddle help 2> /dev/null | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$verbs --version --help" -- "$word")
        return
    fi
    case $last in
    --strategy)
        mapfile -t COMPREPLY < <(compgen -W "$(heddle list strategies | cut -d' ' -f1)" -- "$word")
        return ;;
    --checkers)
        mapfile -t COMPREPLY < <(compgen -W "$(heddle list checkers | cut -d' ' -f1)" -- "$word")
        return ;;
    --transactions)
        mapfile -t COMPREPLY < <(compgen -W "default annotated functions regions none" -- "$word")
        return ;;
    --isolate)
        mapfile -t COMPREPLY < <(compgen -W "snapshot fork" -- "$word")
        return ;;
    --progress)
        mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$word")
        return ;;
    esac
    case $verb in
    help)
        mapfile -t COMPREPLY < <(compgen -W "$(heddle help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p')" -- "$word")
        return ;;
    list)
        mapfile -t COMPREPLY < <(compgen -W "strategies checkers" -- "$word")
        return ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(_heddle_options "$verb")" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}

complete -o filenames -F _heddle heddle
