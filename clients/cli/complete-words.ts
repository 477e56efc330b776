import addCompletion from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** The library adds its own commands to the given ones. */
const names = { completionCommandName: 'completion' };

/** The directive for completing file names. */
const filesDirective = ':0';

/**
 * The library's script for bash uses a function of the package bash-completion, which plain bash lacks; this provides it,
 * and completes file names only if requested.
 */
const bashWords = `declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
}
complete -o default -F __tollfree_complete tollfree
`;

/** Prints the script that a shell loads to complete the commands. */
export function printCompletion(commands: Command, shell: string): void {
  addCompletion(commands, names).setup('tollfree', 'tollfree', shell);
  if (shell === 'bash') process.stdout.write(bashWords);
}

/** Prints the candidates for the last word, in the form of those scripts. */
export function completeWords(commands: Command, words: readonly string[]): void {
  if (takesFile(commands, words)) process.stdout.write(`${filesDirective}\n`);
  else addCompletion(commands, names).parse([...words]);
}

/** Whether the last word is the value of a flag for a file or a folder. */
function takesFile(commands: Command, words: readonly string[]): boolean {
  const flag = words.at(-2);
  const command = words.reduce(
    (current, word) => current.commands.find((inner) => inner.name() === word) ?? current,
    commands,
  );
  const option = command.options.find(({ long, short }) => flag !== undefined && (long === flag || short === flag));
  return option !== undefined && /<(?:file|folder|directory)>/.test(option.flags);
}
