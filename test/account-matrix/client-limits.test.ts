import { toSafeSmartAccount } from 'permissionless/accounts';
import { custom, http } from 'viem';
import { createBundlerClient, createPaymasterClient, type SmartAccount } from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { delegateOf } from '../../core/evm/entry-point/eip7702.ts';
import {
  type MatrixAccount,
  matrixAccounts,
  type OpenedAccount,
  safe141Contracts,
} from '../support/accounts/matrix-accounts.ts';
import { incrementsOf, targetCall } from '../support/chain/chain-lab.ts';
import { rowsOfRun } from '../support/run/rows-of-run.ts';
import { type ClientLab, chainClient, openClientLab } from '../support/service/client-lab.ts';
import { freshKey } from '../support/service/running-service.ts';

const plain = { retryCount: 0 };

let lab: ClientLab;
beforeAll(async () => {
  lab = await openClientLab();
}, 60_000);
afterAll(() => lab.close());

type Limits = Readonly<Record<'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas', bigint>>;
/** What a client sends for an operation that needs these limits. */
type Arithmetic = (needed: Limits) => Limits;

/** The development chain's bundler answers what is needed and 10 %. */
function withoutMargin(limit: bigint): bigint {
  return (limit * 10n) / 11n;
}

/** alto: 30 % on top since EntryPoint 0.7; before, half of the verification, and 71,000 gas to the call. */
const alto = (version: MatrixAccount['version']): Arithmetic =>
  version === '0.6'
    ? (needed) => ({
        callGasLimit: needed.callGasLimit + 71_000n,
        verificationGasLimit: (needed.verificationGasLimit * 15n) / 10n,
        preVerificationGas: (needed.preVerificationGas * 11n) / 10n,
      })
    : (needed) => ({
        callGasLimit: (needed.callGasLimit * 13n) / 10n,
        verificationGasLimit: (needed.verificationGasLimit * 13n) / 10n,
        preVerificationGas: (needed.preVerificationGas * 11n) / 10n,
      });

/** The bundler's URL, with its estimates changed by a client. */
function estimating(url: string, arithmetic: Arithmetic) {
  const bundler = http(url, plain)({});
  return custom({
    async request({ method, params }) {
      const answer: unknown = await bundler.request({ method, params });
      if (method !== 'eth_estimateUserOperationGas') return answer;
      const given = answer as Record<keyof Limits, bigint | string>;
      const changed = arithmetic({
        callGasLimit: withoutMargin(BigInt(given.callGasLimit)),
        verificationGasLimit: withoutMargin(BigInt(given.verificationGasLimit)),
        preVerificationGas: BigInt(given.preVerificationGas),
      });
      return { ...given, ...changed };
    },
  });
}

/** Sends sponsored batches one after the other, each with so many increments, by the methods of ERC-7677. */
async function sendBatches(
  version: MatrixAccount['version'],
  { account, authorize }: OpenedAccount,
  { batches, arithmetic }: { readonly batches: readonly number[]; readonly arithmetic: Arithmetic },
): Promise<void> {
  const { devnet, bundler } = lab;
  const client = createBundlerClient({
    account,
    client: chainClient(devnet),
    transport: estimating(bundler.url, arithmetic),
    paymaster: createPaymasterClient({ transport: http(lab.paymaster(version).rpcUrl, plain) }),
    pollingInterval: 20,
  });
  let expected = await incrementsOf(devnet, account.address);
  for (const count of batches) {
    const isDelegated = delegateOf(await devnet.client.getCode({ address: account.address })) !== undefined;
    const authorization = authorize === undefined || isDelegated ? {} : { authorization: await authorize() };
    const calls = Array.from({ length: count }, () => targetCall(devnet, 'increment'));
    await client.sendUserOperation({ calls, ...authorization });
    expected += BigInt(count);
    expect(await incrementsOf(devnet, account.address)).toBe(expected);
  }
}

const known = matrixAccounts.filter(({ kind }) => kind !== 'an account of unknown code' && kind !== 'Safe 1.5.0');
const modular = known.filter(({ kind }) => /Kernel|Safe7579|Biconomy/.test(kind));

describe.each([
  ...modular,
  ...rowsOfRun(
    known.filter((row) => !modular.includes(row)),
    2,
  ),
])('$kind on EntryPoint $version', (row) => {
  // permissionless takes a new nonce key for each operation.
  test('lands with alto’s limits over ERC-7677: its creation, one call, and batches of 2 and 20', async () => {
    const opened = await row.open(lab.devnet);
    await sendBatches(row.version, opened, { batches: [1, 1, 2, 20], arithmetic: alto(row.version) });
  });
});

describe('a Safe of EntryPoint 0.7', () => {
  const owners = (count: number) => Array.from({ length: count }, () => privateKeyToAccount(freshKey()));
  async function openSafe(count: number): Promise<SmartAccount> {
    await safe141Contracts(lab.devnet);
    const [...all] = owners(count);
    return toSafeSmartAccount({
      client: chainClient(lab.devnet),
      owners: all,
      threshold: BigInt(count),
      version: '1.4.1',
    });
  }

  test.each([3, 12])(
    'of %i owners lands with 55,000 gas more for each signature, as abstractionkit sends',
    async (count) => {
      const account = await openSafe(count);
      const arithmetic: Arithmetic = (needed) => ({
        ...alto('0.7')(needed),
        verificationGasLimit: (needed.verificationGasLimit * 13n) / 10n + 55_000n * BigInt(count),
      });
      await sendBatches('0.7', { account }, { batches: [1, 2], arithmetic });
    },
  );

  test('of one owner may not have that of twelve', async () => {
    const account = await openSafe(1);
    const arithmetic: Arithmetic = (needed) => ({
      ...needed,
      verificationGasLimit: needed.verificationGasLimit + 55_000n * 12n,
    });
    const sent = sendBatches('0.7', { account }, { batches: [1], arithmetic });
    await expect(sent).rejects.toThrow(/verificationGasLimit is \d+ gas/);
  });
});
