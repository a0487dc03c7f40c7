# ken for bash: eval "$(ken init bash)"
if [[ $- == *i* && ${BASH_VERSINFO[0]} -ge 4 ]]; then
  export KEN_SHELL_STATE='@DIR@'"/shell.$$"
  (umask 077 && : >|"$KEN_SHELL_STATE") 2>/dev/null
  _ken_x=x _ken_ran=0 _ken_number=${_ken_number-}

  # After a command, before the prompt. No process is started here.
  _ken_prompt() {
    local code=$?
    if [[ ${TERM-} != dumb ]]; then
      if ((_ken_ran)); then builtin printf '\e]133;D;%s\a' "$code"; fi
      builtin printf '\e]133;A\a'
      if [[ ${PS1-} != *'133;B'* ]]; then PS1=${PS1-}'\[\e]133;B\a\]'; fi
    fi
    if ((_ken_ran || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] < 4)); then
      {
        builtin printf 'ken-shell 1\nexit %s\ndir %s\n' "$code" "$PWD"
        # A line that is not new in the history was kept out of it, or said before.
        if [[ $HISTCMD == "$_ken_number" && ${HISTCONTROL-}${HISTIGNORE-} != ignoredups ]]; then
          builtin printf 'hidden\n'
        else
          builtin printf 'line\n'
          HISTTIMEFORMAT= builtin history 1
        fi
      } 2>/dev/null >|"$KEN_SHELL_STATE"
    fi
    _ken_number=$HISTCMD _ken_ran=0
    return "$code"
  }

  # The words behind "?" are taken from the history: to the shell they are a comment.
  _ken_ask() {
    local line
    line=$(HISTTIMEFORMAT= builtin history 1)
    if [[ $line =~ ^\ *[0-9]+\*?\ +\?\ (.*) ]]; then
      command ken ask -- "${BASH_REMATCH[1]}"
    else
      builtin printf '%s\n' 'ken: error: the question is not in the history of this shell' 'ken: hint: ken ask "..."' >&2
      return 1
    fi
  }
  alias '?'='_ken_ask #'

  _ken_suggest() {
    local line
    if [[ -z ${READLINE_LINE//[[:space:]]/} ]]; then return; fi
    builtin printf '[ken] ...\r' >&2
    if line=$(command ken suggest --shell bash -- "$READLINE_LINE") && [[ -n $line ]]; then
      READLINE_LINE=$line READLINE_POINT=${#line}
    fi
    builtin printf '\e[K' >&2
  }

  case "${PROMPT_COMMAND[*]-}" in
    *_ken_prompt*) ;;
    *)
      if [[ "$(builtin declare -p PROMPT_COMMAND 2>/dev/null)" == 'declare -a'* ]]; then
        PROMPT_COMMAND=(_ken_prompt "${PROMPT_COMMAND[@]}")
      else
        PROMPT_COMMAND=_ken_prompt${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}
      fi ;;
  esac
  if [[ ${PS0-} != *_ken_ran* ]]; then
    PS0=${PS0-}'${_ken_x:0:$((_ken_ran=1,0))}'
    if [[ ${TERM-} != dumb ]]; then PS0+='\e]133;C\a'; fi
  fi
  bind -x '"@KEY@": _ken_suggest' 2>/dev/null
fi
