# ken for fish: ken init fish | source
if status is-interactive
    set -gx KEN_SHELL_STATE '@DIR@'/shell.$fish_pid
    set -l _ken_mask (umask)
    umask 077
    true >$KEN_SHELL_STATE 2>/dev/null
    umask $_ken_mask

    function _ken_prompt --on-event fish_prompt
        test "$TERM" = dumb; or printf '\e]133;A\a'
    end

    function _ken_preexec --on-event fish_preexec
        test "$TERM" = dumb; or printf '\e]133;C\a'
    end

    # After a command, before the prompt. No process is started here.
    function _ken_postexec --on-event fish_postexec
        set -l code $status
        test "$TERM" = dumb; or printf '\e]133;D;%s\a' $code
        begin
            printf 'ken-shell 1\nexit %s\ndir %s\n' $code $PWD
            if string match -q ' *' -- $argv[1]
                printf 'hidden\n'
            else
                printf 'line\n%s\n' "$argv[1]"
            end
        end 2>/dev/null >$KEN_SHELL_STATE
    end

    function _ken_forget --on-event fish_exit
        string match -q "*.$fish_pid" -- $KEN_SHELL_STATE; and command rm -f -- $KEN_SHELL_STATE
    end

    # A line that begins with "? " is a question. fish reads every line, and "?" as a name of
    # one character, so what would mean something to it is put into quotes, on the screen and in the
    # history as well.
    function '?'
        command ken ask -- "$argv"
    end

    function _ken_enter
        set -l line (commandline -b | string collect)
        if string match -qr '^\? +\S' -- $line
            set -l ask '\?'
            status test-feature qmark-noglob; and set ask '?'
            set -l words (string replace -r '^\? +' '' -- $line | string collect)
            if test (string escape -- (string split ' ' -- $words) | string join ' ' | string collect) != "$words"
                set words "'"(string replace -a '\\' '\\\\' -- $words | string replace -a "'" "\\'" | string collect)"'"
            end
            commandline -r -- "$ask $words"
        end
        commandline -f execute
    end

    function _ken_suggest
        set -l line (commandline -b | string collect)
        string match -qr '\S' -- $line; or return
        set -l made (command ken suggest --shell fish -- $line | string collect)
        if test -n "$made"
            commandline -r -- $made
            commandline -f end-of-line
        end
        commandline -f repaint
    end

    bind @KEY@ _ken_suggest
    bind \r _ken_enter
    if bind -M insert >/dev/null 2>&1
        bind -M insert @KEY@ _ken_suggest
        bind -M insert \r _ken_enter
    end
end
