# ken for zsh: eval "$(ken init zsh)"
if [[ -o interactive ]]; then
  export KEN_SHELL_STATE='@DIR@'"/shell.$$"
  (umask 077 && : >|"$KEN_SHELL_STATE") 2>/dev/null
  typeset -g _ken_line= _ken_ran=0 _ken_question= _ken_bang= _ken_comments=
  typeset -ga precmd_functions
  autoload -Uz add-zsh-hook

  _ken_preexec() {
    _ken_line=$1 _ken_ran=1
    _ken_options
    if [[ ${TERM-} != dumb ]]; then builtin print -n '\e]133;C\a'; fi
  }

  # After a command, before the prompt. No process is started here.
  _ken_precmd() {
    local code=$?
    _ken_options
    if [[ ${TERM-} != dumb ]]; then
      if (( _ken_ran )); then builtin print -n "\e]133;D;$code\a"; fi
      builtin print -n '\e]133;A\a'
      if [[ ${PS1-} != *'133;B'* ]]; then PS1=${PS1-}$'%{\e]133;B\a%}'; fi
    fi
    if (( _ken_ran )); then
      {
        builtin print -r -- "ken-shell 1"
        builtin print -r -- "exit $code"
        builtin print -r -- "dir $PWD"
        if [[ -o histignorespace && $_ken_line == ' '* ]]; then
          builtin print -r -- hidden
        else
          builtin print -r -- line
          builtin print -r -- "$_ken_line"
        fi
      } 2>/dev/null >|"$KEN_SHELL_STATE"
    fi
    _ken_ran=0 _ken_line=
  }

  _ken_forget() { [[ $KEN_SHELL_STATE == *.$$ ]] && command rm -f -- "$KEN_SHELL_STATE" }

  # A line that begins with "? " is a question, and stays what was typed, on the screen and in
  # the history. Its words are a comment to the shell, which reads nothing in them: that
  # comments are known, and "!" is not, holds for this line alone.
  _ken_accept() {
    _ken_question=
    if [[ $BUFFER == '? '*[^[:space:]]* ]]; then
      _ken_question=${BUFFER#\? }
      if [[ $BUFFER == *$'\n'* ]]; then # the next line would be a command
        BUFFER="ken ask -- ${(qq)_ken_question}"
      else
        if [[ -o banghist ]]; then _ken_bang=banghist; setopt nobanghist; fi
        if [[ ! -o interactivecomments ]]; then _ken_comments=nointeractivecomments; setopt interactivecomments; fi
      fi
    fi
    zle .accept-line
  }

  _ken_options() {
    if [[ -n $_ken_bang$_ken_comments ]]; then setopt $_ken_bang $_ken_comments; fi
    _ken_bang= _ken_comments=
  }

  # Where the keys are not ken's the words come as the shell read them.
  _ken_ask() {
    if [[ ${1-} == '#' ]]; then shift; fi
    command ken ask -- "${_ken_question:-$*}"
  }
  alias '?'='noglob _ken_ask #'

  _ken_suggest() {
    emulate -L zsh
    local line errors
    [[ -n ${BUFFER//[[:space:]]/} ]] || return
    zle -R '[ken] ...'
    errors=$(mktemp) || return
    if line=$(command ken suggest --shell zsh -- "$BUFFER" 2>|"$errors" </dev/null) && [[ -n $line ]]; then
      BUFFER=$line CURSOR=${#line}
    else
      zle -M "$(<$errors)"
    fi
    command rm -f -- "$errors"
  }

  add-zsh-hook preexec _ken_preexec
  precmd_functions=(_ken_precmd ${precmd_functions:#_ken_precmd})
  add-zsh-hook zshexit _ken_forget
  zle -N _ken_suggest
  bindkey '@KEY@' _ken_suggest
  if [[ ${widgets[accept-line]-} == builtin ]]; then zle -N accept-line _ken_accept; fi
fi
