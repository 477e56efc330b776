import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { signUpModes } from '../../core/domain/sign-in.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { findWellKnownChain, wellKnownChains } from '../chains/well-known-chains.ts';
import { isAddressRange, isPublicUrl } from '../config/value-schemas.ts';
import { usualFamilies } from '../paymaster-contract/usual-families.ts';

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

/** A question of `tollfree init`, which a flag can also answer. */
type InitQuestion = {
  /** commander's name of that flag, like `nodeUrl` for `--node-url`. */
  readonly option: string;
  readonly message: string;
  /** The default answer; without one an answer is required. */
  readonly fallback?: string;
  /** The only allowed answers. */
  readonly choices?: readonly string[];
  /** What is wrong with an answer, as a requirement ("must be …"). */
  check(answer: string): string | undefined;
};

/** Families that can be deployed. */
const families = [...paymasterContractFamilies.keys()];
const chainNames = wellKnownChains.map(({ key }) => key).join(', ');

/** The length of the URL list is checked with the whole configuration. */
const isHttpUrl = (url: string) => /^https?:\/\//.test(url) && URL.canParse(url);

const chainQuestion: InitQuestion = {
  option: 'chain',
  message: `Which chain? An id, or one of ${chainNames}`,
  check: (answer) =>
    /^[1-9]\d{0,14}$/.test(answer) || wellKnownChains.some(({ key }) => key === answer.toLowerCase())
      ? undefined
      : `must be a chain id or one of ${chainNames}`,
};

/** Only for chains that are not well known. */
const coinQuestion: InitQuestion = {
  option: 'coinUsd',
  message: 'What is one coin of this chain worth in USD? The price is fixed until you configure price sources',
  check: (answer) =>
    /^\d{1,12}(\.\d{1,18})?$/.test(answer) && /[1-9]/.test(answer) ? undefined : 'must be a number above 0, like 2000',
};

export const familyQuestion: InitQuestion = {
  option: 'family',
  message: 'Which paymaster contract family?',
  fallback: usualFamilies['0.8'],
  choices: families,
  check: (answer) => (families.includes(answer) ? undefined : `must be one of ${families.join(', ')}`),
};

const otherQuestions: readonly InitQuestion[] = [
  {
    option: 'nodeUrl',
    message: 'JSON-RPC URL of a node (several with commas; the first is asked first)',
    check: (answer) =>
      answer !== '' && splitList(answer).every(isHttpUrl)
        ? undefined
        : 'must be http or https URLs, with commas between them',
  },
  familyQuestion,
  {
    option: 'data',
    message: 'Folder of the database, relative to the folder of the configuration',
    fallback: 'data',
    check: (answer) => (answer === '' ? 'must be a folder' : undefined),
  },
  {
    option: 'signUp',
    message: 'Who gets an account by signing in to the dashboard?',
    fallback: 'closed',
    choices: signUpModes,
    check: (answer) =>
      signUpModes.some((mode) => mode === answer) ? undefined : `must be one of ${signUpModes.join(', ')}`,
  },
  {
    option: 'publicUrl',
    message: 'What is the public URL of the dashboard? Empty if no one signs in',
    fallback: '',
    check: (answer) =>
      answer === '' || isPublicUrl(answer)
        ? undefined
        : 'must be an https URL without a path, like https://gas.example.org, or http on localhost or 127.0.0.1',
  },
  {
    option: 'trustedProxies',
    message:
      'Addresses or CIDR ranges of the proxies in front, like 127.0.0.1. Without them all users behind a proxy share the ' +
      'limits of one client. Empty if there is none',
    fallback: '',
    check: (answer) =>
      splitList(answer).every(isAddressRange)
        ? undefined
        : 'must be addresses or CIDR ranges with commas between them, like 127.0.0.1,10.0.0.0/8',
  },
];

/** The parts of a comma-separated answer; none for an empty one. */
export function splitList(answer: string): string[] {
  return answer === '' ? [] : answer.split(',').map((part) => part.trim());
}
