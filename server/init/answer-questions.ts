import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import { chainQuestion, coinQuestion, type InitQuestion, otherQuestions } from './init-questions.ts';

/** The answers, by the options of their questions. */
export type InitAnswers = ReadonlyMap<string, string>;

/**
 * Answers the questions of `tollfree init`: from the flags, or else at the terminal. Without a terminal the defaults apply,
 * and all missing answers are reported at once.
 */
export async function answerQuestions(flags: Flags): Promise<InitAnswers> {
  const answers = new Map<string, string>();
  const missing: string[] = [];
  const answer = async (question: InitQuestion) => {
    const given = await answerQuestion(question, flags);
    if (given === undefined) missing.push(nameOf(question));
    else answers.set(question.option, given);
  };
  await answer(chainQuestion);
  const chain = answers.get('chain');
  if (chain !== undefined && findWellKnownChain(chain) === undefined) await answer(coinQuestion);
  for (const question of otherQuestions) await answer(question);
  if (missing.length === 0) return answers;
  throw mistake(`Missing: ${missing.join(', ')}. There is no terminal for questions, so set them with flags.`);
}

/** The answer from the flag, from the terminal, or else the default. */
export async function answerQuestion(question: InitQuestion, flags: Flags): Promise<string | undefined> {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const given = textFlag(flags, question.option) ?? (isTerminal ? await ask(question) : question.fallback);
  const complaint = given === undefined ? undefined : question.check(given);
  if (complaint !== undefined) throw mistake(`${nameOf(question)} ${complaint}.`);
  return given;
}

function nameOf({ option }: InitQuestion): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function ask({ message, fallback, choices, check }: InitQuestion): Promise<string> {
  const { isCancel, select, text } = await import('@clack/prompts');
  const output = process.stderr;
  const answer =
    choices === undefined
      ? await text({
          message,
          output,
          ...(fallback === undefined ? {} : { defaultValue: fallback, placeholder: fallback }),
          validate: (given) => {
            const complaint = check(given === undefined || given === '' ? (fallback ?? '') : given);
            return complaint === undefined ? undefined : `It ${complaint}.`;
          },
        })
      : await select({
          message,
          output,
          options: choices.map((value) => ({ value, label: value })),
          initialValue: fallback ?? choices[0] ?? '',
        });
  if (isCancel(answer)) throw mistake('Cancelled. Nothing was written.');
  return answer ?? '';
}
