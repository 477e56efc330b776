import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { devPaymasterVersions } from '../../../server/dev/dev-core-config.ts';
import type { Action, Json } from '../actions/action.ts';
import { foreignVersion } from '../world/core-config.ts';

const coin = 10n ** 18n;

/** A paymaster of a recording, by its name. */
type SetUp = {
  readonly name: string;
  readonly account: string;
  readonly version: EntryPointVersion | 'foreign';
  /** Without one it has no funding wallet. */
  readonly wallet?: string;
  /** Coin in its tank; none when absent. */
  readonly deposit?: bigint;
  readonly policy?: Json;
};

/** The paymasters of a recording: the ways to be paid for, and one for each state that refuses. */
const setUps: readonly SetUp[] = [
  { name: 'six', account: 'ada', version: '0.6', wallet: 'wallet 0', deposit: 5n },
  { name: 'seven', account: 'ada', version: '0.7', wallet: 'wallet 0', deposit: 5n },
  { name: 'eight', account: 'ada', version: '0.8', wallet: 'wallet 0', deposit: 5n },
  { name: 'nine', account: 'ada', version: '0.9', wallet: 'wallet 0', deposit: 5n },
  { name: 'relay', account: 'bob', version: '0.8', wallet: 'wallet 1', deposit: 5n, policy: { relay: 'PREFER' } },
  { name: 'share', account: 'bob', version: '0.7', wallet: 'wallet 1', deposit: 5n, policy: { userPaysPercent: 40 } },
  { name: 'other', account: 'bob', version: '0.9', wallet: 'wallet 1', deposit: 5n },
  { name: 'poor', account: 'bob', version: '0.7', wallet: 'wallet 2', deposit: 0n },
  { name: 'bare', account: 'bob', version: '0.7' },
  { name: 'foreign', account: 'bob', version: 'foreign', wallet: 'wallet 1' },
];

/** The EntryPoint of a paymaster's operations, by its name. */
export function versionOf(name: string): EntryPointVersion {
  const { version } = setUpOf(name);
  return version === 'foreign' ? '0.7' : version;
}

/** The ids in a call of the core about a paymaster. */
export function ownedBy(name: string): { readonly accountId: string; readonly paymasterId: string } {
  return { accountId: `{{${setUpOf(name).account}.accountId}}`, paymasterId: `{{${name}.paymasterId}}` };
}

function setUpOf(name: string): SetUp {
  const found = setUps.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no paymaster ${name}.`);
  return found;
}

/** Creates the accounts and paymasters, and fills the tanks. */
export function setUp(): readonly Action[] {
  const accounts = [...new Set(setUps.map(({ account }) => account))];
  return [
    ...accounts.map((name): Action => ({ do: 'core', call: 'createAccount', input: { name }, as: name })),
    ...setUps.flatMap(setUpPaymaster),
    { do: 'send-coin', wallet: 'wallet 1', to: 'executor', wei: String(5n * coin) },
  ];
}

function setUpPaymaster({ name, version, wallet, deposit, policy = {} }: SetUp): readonly Action[] {
  const owned = ownedBy(name);
  const contractVersion = version === 'foreign' ? foreignVersion : devPaymasterVersions[version];
  const created = { accountId: owned.accountId, name, type: 'HYBRID', chainId: '{{@chain}}', version: contractVersion };
  const contract = {
    ...owned,
    name: 'target',
    address: '{{@target}}',
    abi: '{{@abi}}',
    whitelistedMethods: ['increment', 'pay', 'record'],
  };
  return [
    { do: 'core', call: 'createPaymaster', input: created, as: name },
    { do: 'core', call: 'registerSmartContract', input: contract, as: `${name}-target` },
    { do: 'core', call: 'setPolicy', input: { ...owned, policy: { $policy: policy } } },
    { do: 'core', call: 'createTicketKey', input: { ...owned, name: 'backend', kind: 'EDDSA' }, as: `${name}-tickets` },
    ...(wallet === undefined ? [] : [{ do: 'fund', of: name, wallet } as const]),
    ...(wallet === undefined || version === 'foreign' || deposit === undefined || deposit === 0n
      ? []
      : [{ do: 'deposit', wallet, version, wei: String(deposit * coin) } as const]),
  ];
}
