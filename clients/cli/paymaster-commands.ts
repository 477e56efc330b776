import { omitAbsent } from '@tollfree/contract/omit-absent';
import { dailyLimit } from '@tollfree/contract/suggested-limit';
import type { ManagementClient } from '@tollfree/sdk/management';
import { dailyLimitFlag } from './daily-limit-flag.ts';
import { findVersion } from './find-version.ts';
import { openManagement, openNamed } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { entryPointFlag, type Flags, requiredFlag, textFlag, yesNoFlag } from './terminal/flags.ts';
import { printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';

/** `tollfree paymaster create`: the new apiKey, and the address it is used at. */
export async function createPaymaster(name: string, flags: Flags): Promise<void> {
  const chainId = Number(requiredFlag(flags, 'chainId'));
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw mistake('--chain-id must be a whole number above 0.');
  const dailyUsd = dailyLimitFlag(flags);
  const { client, baseUrl } = openManagement(flags);
  const version =
    textFlag(flags, 'paymasterVersion') ??
    (await findVersion(
      client,
      { chainId, entryPoint: entryPointFlag(flags) },
      { entryPointField: '--entry-point', versionField: '--paymaster-version', listing: 'tollfree paymaster chains' },
    ));
  const paymaster = await client.createPaymaster({ name, chainId, version });
  if (dailyUsd !== undefined) await limitDay(client, paymaster, dailyUsd);
  printAnswer(flags, { ...paymaster, ...omitAbsent({ dailyUsd }) }, () => {
    const { apiKey, paymasterId } = paymaster;
    printLine(`Registered the paymaster ${paymaster.name} on chain ${chainId}.`);
    printLine(`apiKey       ${apiKey}`);
    printLine(`paymasterId  ${paymasterId}`);
    printLine(`RPC          ${baseUrl.replace(/\/+$/, '')}/api/v2/${chainId}/${apiKey}`);
    printLine(`limit        ${dailyUsd === undefined ? 'none' : `${dailyUsd} USD for all operations of a day`}`);
    if (dailyUsd !== undefined) return;
    printHint(
      'Before you publish the URL, limit what strangers can spend: tollfree policy set, or tollfree budget create.',
    );
  });
}

/** Limits what all operations of a day may cost together. A new paymaster's policy has no limits. */
async function limitDay(
  client: ManagementClient,
  { name, apiKey }: { readonly name: string; readonly apiKey: string },
  usd: string,
): Promise<void> {
  try {
    const { etag, ...policy } = await client.readPolicy({ apiKey });
    await client.setPolicy({ apiKey, etag, policy: { ...policy, limits: [...policy.limits, dailyLimit(usd)] } });
  } catch (error) {
    printHint(`The paymaster ${name} is registered, with the apiKey ${apiKey}, but has no daily limit.`);
    throw error;
  }
}

export async function listPaymasters(flags: Flags): Promise<void> {
  const paymasters = await openManagement(flags).client.listPaymasters();
  printAnswer(flags, paymasters, () =>
    printRows(
      paymasters.map(({ paymasterId, chainId, version, contract, apiKey, name, pausedAt, retiredAt }) => ({
        paymasterId,
        chainId: `${chainId}`,
        version,
        entryPoint: contract?.entryPointVersion ?? '-',
        apiKey,
        state: retiredAt !== undefined ? 'retired' : pausedAt !== undefined ? 'paused' : 'active',
        name,
      })),
      'This account has no paymasters.',
    ),
  );
}

export async function listChains(flags: Flags): Promise<void> {
  const chains = await openManagement(flags).client.listChains();
  printAnswer(flags, chains, () =>
    printRows(
      chains.flatMap(({ chainId, name, contracts }) =>
        contracts.map(({ version, family, address, entryPointVersion }) => ({
          chainId: `${chainId}`,
          chain: name,
          version,
          entryPoint: entryPointVersion,
          family,
          contract: address,
        })),
      ),
    ),
  );
}

export async function updatePaymaster(named: string, flags: Flags): Promise<void> {
  const active = yesNoFlag(flags, 'active');
  const changes = omitAbsent({ name: textFlag(flags, 'name'), paused: active === undefined ? undefined : !active });
  if (Object.keys(changes).length === 0) throw mistake('Name a change, for instance with --name.');
  const { client, paymasterId } = await openNamed(named, flags);
  const paymaster = await client.updatePaymaster({ paymasterId, ...changes });
  printAnswer(flags, paymaster, () => {
    const state = paymaster.pausedAt === undefined ? 'is active' : 'refuses everything until it is active again';
    printLine(`The paymaster ${paymaster.name} ${state}.`);
  });
}

export async function retirePaymaster(named: string, flags: Flags): Promise<void> {
  const name = requiredFlag(flags, 'confirm');
  const { client, paymasterId } = await openNamed(named, flags);
  const paymaster = await client.retirePaymaster({ paymasterId, name });
  printAnswer(flags, paymaster, () => printLine(`The paymaster ${paymaster.name} is retired. Its ledger stays.`));
}
