# bash completion for pdtool: commands, options (as the help lists them), and files.

# _pdtool_names SUBCOMMAND SED-SCRIPT: names out of what pdtool prints.
_pdtool_names()
{
	"${COMP_WORDS[0]}" "${@:1:$#-1}" 2>/dev/null | sed -n "${!#}"
}

_pdtool()
{
	local cur=$2 prev=$3 command='' words='' i

	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }
	done
	if [[ $command == sched && $i -lt $((COMP_CWORD - 1)) ]]; then # a command of two words
		command+=" ${COMP_WORDS[i + 1]}"
	fi
	if [[ $cur == = || $prev == = ]]; then # --option=value: bash takes the parts for words
		[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
		cur=${cur#=}
	fi
	case $command:$prev in
	:*) words="--version --help $(_pdtool_names help 's/^  \([a-z-]*\) .*/\1/p')" ;;
	help:*) words=$(_pdtool_names help 's/^  \([a-z-]*\) .*/\1/p') ;;
	sched:sched) words=$(_pdtool_names help 's/^  sched \([a-z-]*\) .*/\1/p') ;;
	'sched latency':--by) words='thread comm pid cpu' ;;
	'sched '*:--compat) words=perf ;;
	*:--weight) words='samples period' ;;
	*:--compat) words=stackcollapse ;;
	diff:--by) words='symbol stack dso comm' ;;
	heatmap:--by | heatmap:--lanes) words='device op comm cpu none' ;;
	heatmap:--latency) words='device queue total' ;;
	heatmap:--y) words='linear log' ;;
	heatmap:--value) words='period delta subsecond symbol' ;;
	heatmap:--units | heatmap:--unitslat | heatmap:--unitstime) words='ns us ms s' ;;
	*:--pair) words='newest oldest' ;;
	offcpu:--part) words='both blocked runnable' ;;
	diff:--normalize) words='none total duration cpu' ;;
	*:--match) words='exact normalized' ;;
	report:--percentage) words='absolute relative' ;;
	report:--sort | report:-s | report:--group) words='comm pid tid dso sym cpu event time' ;;
	annotate:--percent-type) words='local-period local-hits global-period global-hits' ;;
	annotate:-M | annotate:--disassembler-style) words='att intel' ;;
	*:--color) words='auto always never' ;;
	*:--format) words=$(_pdtool_names list '/^Formats/,$s/^  \([a-z]*\) .*/\1/p') ;;
	*)
		if [[ $cur == -* ]]; then
			words=$(_pdtool_names help $command 's/^  ....\(--[a-z-]*\).*/\1/p')
		else
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _pdtool pdtool
