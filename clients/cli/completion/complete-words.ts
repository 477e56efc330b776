import addCompletion from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** The library adds its own commands to those that it is given. */
const names = { completionCommandName: 'completion' };

/** What a shell is told when it is to complete with the names of files. */
const filesDirective = ':0';

/**
 * bash alone does not have the function that the library's script asks for the words, which is in the package
 * bash-completion, and falls back to names of files only where that was said.
 */
const bashWords = `declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}")
    cword=$COMP_CWORD
    cur=\${COMP_WORDS[COMP_CWORD]}
    prev=\${COMP_WORDS[COMP_CWORD - 1]}
}
complete -o default -F __tollfree_complete tollfree
`;

/** Prints what a shell has to load so that it completes the commands. */
export function printCompletion(commands: Command, shell: string): void {
  addCompletion(commands, names).setup('tollfree', 'tollfree', shell);
  if (shell === 'bash') process.stdout.write(bashWords);
}

/** Prints what can stand instead of the last word, as those scripts take it. */
export function completeWords(commands: Command, words: readonly string[]): void {
  if (takesFile(commands, words)) process.stdout.write(`${filesDirective}\n`);
  else addCompletion(commands, names).parse([...words]);
}

/** Whether the last word is the value of a flag that names a file or a folder. */
function takesFile(commands: Command, words: readonly string[]): boolean {
  const flag = words.at(-2);
  const command = words.reduce(
    (current, word) => current.commands.find((inner) => inner.name() === word) ?? current,
    commands,
  );
  const option = command.options.find(({ long, short }) => flag !== undefined && (long === flag || short === flag));
  return option !== undefined && /<(?:file|folder|directory)>/.test(option.flags);
}
