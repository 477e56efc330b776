import { signUpModes } from '../../core/domain/sign-in.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { wellKnownChains } from '../chains/well-known-chains.ts';
import { isAddressRange, isPublicUrl } from '../config/value-schemas.ts';

/** A question of `tollfree init`, which a flag can also answer. */
export type InitQuestion = {
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

export const chainQuestion: InitQuestion = {
  option: 'chain',
  message: `Which chain? An id, or one of ${chainNames}`,
  check: (answer) =>
    /^[1-9]\d{0,14}$/.test(answer) || wellKnownChains.some(({ key }) => key === answer.toLowerCase())
      ? undefined
      : `must be a chain id or one of ${chainNames}`,
};

/** Only for chains that are not well known. */
export const coinQuestion: InitQuestion = {
  option: 'coinUsd',
  message: 'What is one coin of this chain worth in USD? The price is fixed until you configure price sources',
  check: (answer) =>
    /^\d{1,12}(\.\d{1,18})?$/.test(answer) && /[1-9]/.test(answer) ? undefined : 'must be a number above 0, like 2000',
};

export const familyQuestion: InitQuestion = {
  option: 'family',
  message: 'Which paymaster contract family?',
  fallback: 'pimlico-singleton-0.8',
  choices: families,
  check: (answer) => (families.includes(answer) ? undefined : `must be one of ${families.join(', ')}`),
};

export const otherQuestions: readonly InitQuestion[] = [
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
