import { type Hex, isHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import { rpcCall } from '../../server/dev/rpc-call.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import { mint, newSmartAccount, nextOperation, targetCall, tokenWith } from '../support/chain/chain-lab.ts';
import { checkLanding } from '../support/chain/landings.ts';
import { type LandingClient, landingClients } from '../support/chain/landings-table.ts';
import { aaSdkClient } from '../support/published-clients/aa-sdk-client.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { landAndCheck } from '../support/published-clients/client-lab.ts';
import { curlClient } from '../support/published-clients/plain-clients.ts';
import { permissionlessClient, type SendingAccount } from '../support/published-clients/sending-clients.ts';
import { useropClient } from '../support/published-clients/userop-client.ts';
import { zerodevClient } from '../support/published-clients/zerodev-client.ts';
import { type BundlerLab, openBundlerLab } from './bundler-lab.ts';
import { altoVersions } from './start-alto.ts';
import { openDelegatingPermissionless, openDelegatingViem, openViem } from './viem-clients.ts';

/** An operation that alto landed. */
type BundlerLanding = {
  /** Whether the service asks alto for gas limits too. */
  readonly estimates: 'own' | 'of the bundler too';
  readonly account: 'SimpleAccount' | 'EIP-7702';
  readonly client: LandingClient;
  readonly entryPoint: EntryPointVersion;
  readonly mode: SponsorshipMode;
};

const caption = [
  'Operations landed by alto through handleOps, each with its target called, the paymaster’s deposit down by exactly the',
  'gas cost, and no more tokens taken than quoted. – none: the client does not know the EntryPoint or the account.',
];

/** EntryPoint × account × mode × whose estimates, with the number of operations that landed by client. */
function renderBundlerTable(landings: readonly BundlerLanding[]): string {
  const clients = [...new Set(landings.map(({ client }) => client))];
  const keyOf = ({ entryPoint, account, mode, estimates }: BundlerLanding) =>
    [entryPoint, account, mode, estimates].join('|');
  const rows = [...new Set(landings.map(keyOf))].sort().map((key) => [
    ...key.split('|'),
    ...clients.map((client) => {
      const count = landings.filter((landing) => keyOf(landing) === key && landing.client === client).length;
      return count === 0 ? '–' : String(count);
    }),
  ]);
  const lines = [['EntryPoint', 'account', 'mode', 'estimates', ...clients], ...rows];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const table = lines.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return ['', ...caption, '', ...table, '', `${landings.length} operations`, ''].join('\n');
}

const landings: BundlerLanding[] = [];
afterAll(() => {
  process.stdout.write(`${renderBundlerTable(landings)}\n`);
});

type Cell = {
  readonly title: string;
  readonly account: BundlerLanding['account'];
  readonly version: EntryPointVersion;
  readonly client: BundlerLanding['client'];
  open(lab: BundlerLab): Promise<SendingAccount>;
};

const known: readonly EntryPointVersion[] = altoVersions;
const allCells: readonly Cell[] = [
  ...landingClients.viem.map((version) => cell('viem', version, 'SimpleAccount', (lab) => openViem(lab, version))),
  ...[permissionlessClient, aaSdkClient, zerodevClient, useropClient].flatMap((client) =>
    landingClients[client.name].map((version) =>
      cell(client.name, version, 'SimpleAccount', (lab) => {
        const { rpcUrl: url, address } = lab.paymaster(version);
        return client.open(lab, { version, url, address });
      }),
    ),
  ),
  cell('viem', '0.8', 'EIP-7702', openDelegatingViem),
  cell('permissionless', '0.8', 'EIP-7702', openDelegatingPermissionless),
];
const cells = allCells.filter(({ version }) => known.includes(version));

function cell(client: Cell['client'], version: EntryPointVersion, account: Cell['account'], open: Cell['open']): Cell {
  return { title: `${client}, EntryPoint ${version}, ${account}`, client, version, account, open };
}

describe.each(['own', 'of the bundler too'] as const)('with estimates %s', (estimates) => {
  let lab: BundlerLab;
  beforeAll(async () => {
    lab = await openBundlerLab({ estimates });
  });
  afterAll(() => lab.close());

  /** What alto says of the operation once it has landed. */
  const landed = (hash: Hex) => vi.waitFor(() => readLanded(lab.bundler.url, hash), { timeout: 30_000 });

  describe.each(cells)('$title', ({ account, version, client, open }) => {
    test('sponsored operations land, the first one deploys or delegates', async () => {
      const { sender, sponsored } = await open(lab);
      for (let nth = 0; nth < 2; nth += 1) {
        const attempt = { client, version, sender, payment: 'SPONSORED' } as const;
        const facts = await landAndCheck(lab, attempt, async () => landed(await sponsored()));
        await checkLanding(lab.devnet, facts);
        landings.push({ estimates, account, client, entryPoint: version, mode: facts.mode });
      }
    });

    test('operations paid in tokens land for no more than the rate says', async () => {
      const token = tokenWith(lab.devnet, 6);
      const { sender, paid } = await open(lab);
      await mint(lab.devnet, token, sender, 1_000n * 10n ** BigInt(token.decimals));
      for (let nth = 0; nth < 2; nth += 1) {
        let quoted = 0n;
        const attempt = { client, version, sender, payment: { token, quoted: () => quoted } };
        const facts = await landAndCheck(lab, attempt, async () => {
          const sent = await paid(token);
          quoted = sent.quoted;
          return landed(sent.hash);
        });
        await checkLanding(lab.devnet, facts);
        landings.push({ estimates, account, client, entryPoint: version, mode: facts.mode });
      }
    });
  });

  test.runIf(estimates === 'of the bundler too').each(altoVersions)(
    'curl, EntryPoint %s: the higher of alto’s limits and ours are signed, and the operation lands with them',
    async (version) => {
      const { rpcUrl } = lab.paymaster(version);
      const account = newSmartAccount(version);
      for (let nth = 0; nth < 2; nth += 1) {
        const built = await nextOperation(lab.devnet, account, [targetCall(lab.devnet, 'increment')]);
        const signed = await curlClient.sponsor(rpcUrl, 'pm_sponsorUserOperation', built);
        const ofAlto = lab.estimates.at(-1) ?? expect.fail('alto was not asked.');
        expect(signed.preVerificationGas).toBe(ofAlto.preVerificationGas);
        expect(signed.callGasLimit).toBeGreaterThanOrEqual(ofAlto.callGasLimit);
        expect(signed.verificationGasLimit).toBeGreaterThanOrEqual(ofAlto.verificationGasLimit);
        const operation = await signUserOperation(lab.devnet, { ...built, ...signed }, account.owner);
        const attempt = { client: 'curl', version, sender: built.sender, payment: 'SPONSORED' } as const;
        const facts = await landAndCheck(lab, attempt, async () => landed(await sendThroughAlto(lab, operation)));
        await checkLanding(lab.devnet, facts);
        landings.push({ estimates, account: 'SimpleAccount', client: 'curl', entryPoint: version, mode: facts.mode });
      }
    },
  );
});

function sendThroughAlto({ bundler, devnet }: BundlerLab, operation: DevUserOperation): Promise<Hex> {
  const params = [toRpcUserOperation(operation), devnet.entryPoints[operation.entryPointVersion]];
  return rpcCall(
    bundler.url,
    'eth_sendUserOperation',
    params,
    z.custom<Hex>((value) => isHex(value)),
  );
}
