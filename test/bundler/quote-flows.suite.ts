import { type Hex, isHex, maxUint256 } from 'viem';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { EntryPointVersion } from '../../core/domain/entry-point-version.ts';
import { rpcCall } from '../../server/dev/rpc-call.ts';
import { signUserOperation } from '../../server/dev/user-operation/build-user-operation.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../server/dev/user-operation/dev-user-operation.ts';
import {
  approveCall,
  mint,
  newSmartAccount,
  nextOperation,
  setAllowance,
  targetCall,
  tokenWith,
} from '../support/chain/chain-lab.ts';
import { readLanded } from '../support/published-clients/biconomy-bundler.ts';
import { landAndCheck } from '../support/published-clients/client-lab.ts';
import { permissionlessClient } from '../support/published-clients/sending-clients.ts';
import { askRpc } from '../support/service/chain-rpc.ts';
import { maximumOf, quoteFor, sponsor, withAnswer } from '../support/service/chain-sponsorship.ts';
import { type BundlerLab, type BundlerLabOptions, openBundlerLab } from './bundler-lab.ts';
import { altoVersions } from './start-alto.ts';
import { openViem } from './viem-clients.ts';

/** How the sender lets the paymaster take its tokens. */
const approvals = ['inside the operation', 'standing'] as const;
const cellsOf = (versions: readonly EntryPointVersion[]) =>
  versions.flatMap((version) =>
    [6, 18].flatMap((decimals) => approvals.map((approval) => ({ version, decimals, approval }))),
  );

const limits = z.object({
  callGasLimit: z.string(),
  verificationGasLimit: z.string(),
  preVerificationGas: z.string(),
});

/** Quote, approve what was quoted, sign, land: through alto, with its limits asked for and without. */
const labs: readonly (BundlerLabOptions & { versions: typeof altoVersions | readonly ['0.8'] })[] = [
  { estimates: 'own', versions: altoVersions },
  { estimates: 'of the bundler too', versions: altoVersions },
  { estimates: 'own', contractFor08: 'tollfree-0.8', versions: ['0.8'] },
  { estimates: 'of the bundler too', contractFor08: 'tollfree-0.8', versions: ['0.8'] },
];
describe.each(labs)(
  'with estimates $estimates, paid by $contractFor08 or the chain’s own',
  ({ versions, ...options }) => {
    let lab: BundlerLab;
    beforeAll(async () => {
      lab = await openBundlerLab(options);
    }, 90_000);
    afterAll(() => lab.close());

    const landed = (hash: Hex) => vi.waitFor(() => readLanded(lab.bundler.url, hash), { timeout: 30_000 });
    const send = (operation: DevUserOperation): Promise<Hex> =>
      rpcCall(
        lab.bundler.url,
        'eth_sendUserOperation',
        [toRpcUserOperation(operation), lab.devnet.entryPoints[operation.entryPointVersion]],
        z.custom<Hex>((value) => isHex(value)),
      );

    describe.each(cellsOf(versions))(
      'EntryPoint $version, a token of $decimals decimals, approval $approval',
      ({ version, decimals, approval }) => {
        /** A new account with tokens, and its operation with the calls that an approval of this much comes to. */
        async function open() {
          const { devnet } = lab;
          const { rpcUrl, address: spender } = lab.paymaster(version);
          const token = tokenWith(devnet, decimals);
          const account = newSmartAccount(version);
          const increment = targetCall(devnet, 'increment');
          const { sender } = await nextOperation(devnet, account, []);
          await mint(devnet, token, sender, 1_000n * 10n ** BigInt(decimals));
          const isStanding = approval === 'standing';
          return {
            devnet,
            rpcUrl,
            token,
            account,
            sender,
            plain: () => nextOperation(devnet, account, [increment]),
            async approving(amount: bigint) {
              if (isStanding) await setAllowance(devnet, token, { owner: sender, spender, amount });
              const calls = isStanding ? [increment] : [approveCall(token, spender, amount), increment];
              return nextOperation(devnet, account, calls);
            },
          };
        }

        test('the interface’s form: what is signed fits the quote and the allowance, twice in a row', async () => {
          const opened = await open();
          const { devnet, rpcUrl, token, account, sender } = opened;
          for (let nth = 0; nth < 2; nth += 1) {
            const drafted = await opened.plain();
            const quoted = maximumOf(await quoteFor(rpcUrl, drafted, { token: token.address }));
            const built = { ...drafted, callData: (await opened.approving(quoted)).callData };
            const answer = await sponsor(rpcUrl, built, { token: token.address });
            const signed = await signUserOperation(devnet, withAnswer(built, answer), account.owner);
            const attempt = { client: 'curl', version, sender, payment: { token, quoted: () => quoted } } as const;
            await landAndCheck(lab, attempt, async () => landed(await send(signed)));
          }
        });

        test('Pimlico’s form: an operation lands with the answered limits', async () => {
          const { devnet, rpcUrl, token, account, sender, approving } = await open();
          for (let nth = 0; nth < 2; nth += 1) {
            const built = await approving(maxUint256);
            const params = [toRpcUserOperation(built), devnet.entryPoints[version], { token: token.address }];
            const { result, message } = await askRpc(rpcUrl, 'pm_sponsorUserOperation', params);
            expect(message).toBeUndefined();
            const signed = await signAnswered(built, result);
            const attempt = { client: 'curl', version, sender, payment: { token, quoted: () => maxUint256 } } as const;
            await landAndCheck(lab, attempt, async () => landed(await send(signed)));
          }

          async function signAnswered(built: DevUserOperation, result: unknown): Promise<DevUserOperation> {
            const fields = z.looseObject({}).parse(result) as Record<string, Hex>;
            const given = limits.parse(result);
            const paymasterAndData = (version === '0.6' ? fields.paymasterAndData : packPaymaster(fields)) ?? '0x';
            return signUserOperation(
              devnet,
              {
                ...built,
                paymasterAndData,
                callGasLimit: BigInt(given.callGasLimit),
                verificationGasLimit: BigInt(given.verificationGasLimit),
                preVerificationGas: BigInt(given.preVerificationGas),
              },
              account.owner,
            );
          }
        });
      },
    );

    describe.each(versions.flatMap((version) => [6, 18].map((decimals) => ({ version, decimals }))))(
      'EntryPoint $version, a token of $decimals decimals',
      ({ version, decimals }) => {
        test.each([
          ['viem', (at: BundlerLab) => openViem(at, version)],
          [
            'permissionless',
            (at: BundlerLab) => {
              const { rpcUrl: url, address } = at.paymaster(version);
              return permissionlessClient.open(at, { version, url, address });
            },
          ],
        ] as const)('%s: approval inside, then one that stands', async (name, openClient) => {
          const { devnet } = lab;
          const token = tokenWith(devnet, decimals);
          const { sender, paid } = await openClient(lab);
          await mint(devnet, token, sender, 1_000n * 10n ** BigInt(decimals));
          const spender = lab.paymaster(version).address;
          for (const isStanding of [false, true]) {
            if (isStanding) await setAllowance(devnet, token, { owner: sender, spender, amount: maxUint256 });
            let quoted = 0n;
            const payment = { token, quoted: () => quoted };
            await landAndCheck(lab, { client: name, version, sender, payment }, async () => {
              const sent = await paid(token);
              quoted = sent.quoted;
              return landed(sent.hash);
            });
          }
        });
      },
    );
  },
);

function packPaymaster(fields: Record<string, Hex>): Hex {
  const { paymaster = '0x', paymasterData = '0x' } = fields;
  const digits = (value: Hex | undefined) =>
    BigInt(value ?? 0)
      .toString(16)
      .padStart(32, '0');
  const gas = digits(fields.paymasterVerificationGasLimit) + digits(fields.paymasterPostOpGasLimit);
  return `${paymaster}${gas}${paymasterData.slice(2)}`;
}
