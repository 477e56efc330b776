import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ManagementClient } from '@tollfree/sdk/management';
import { openManagement, openNamed } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { entryPointFlag, type Flags, requiredFlag, textFlag, yesNoFlag } from './terminal/flags.ts';
import { printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';

/** `tollfree paymaster create`: the new apiKey, and the address it is used at. */
export async function createPaymaster(name: string, flags: Flags): Promise<void> {
  const chainId = Number(requiredFlag(flags, 'chainId'));
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw mistake('--chain-id must be a whole number above 0.');
  const { client, baseUrl } = openManagement(flags);
  const version = textFlag(flags, 'paymasterVersion') ?? (await versionFor(client, chainId, flags));
  const paymaster = await client.createPaymaster({ name, chainId, version });
  printAnswer(flags, paymaster, () => {
    const { apiKey, paymasterId } = paymaster;
    printLine(`Registered the paymaster ${paymaster.name} on chain ${chainId}.`);
    printLine(`apiKey       ${apiKey}`);
    printLine(`paymasterId  ${paymasterId}`);
    printLine(`RPC          ${baseUrl.replace(/\/+$/, '')}/api/v2/${chainId}/${apiKey}`);
    printHint(
      'Before you publish the URL, limit what strangers can spend: tollfree policy set, or tollfree budget create.',
    );
  });
}

/** The version of the operator's contract for `--entry-point`. */
async function versionFor(client: ManagementClient, chainId: number, flags: Flags): Promise<string> {
  const chain = (await client.listChains()).find((each) => each.chainId === chainId);
  if (chain === undefined)
    throw mistake(`The service does not serve chain ${chainId}. \`tollfree paymaster chains\` lists them.`);
  const known = [...new Set(chain.contracts.map(({ entryPointVersion }) => entryPointVersion))].join(', ');
  const entryPoint = entryPointFlag(flags);
  if (entryPoint === undefined) {
    throw mistake(`Name the EntryPoint of your accounts with --entry-point. Chain ${chainId} has ${known}.`);
  }
  const fitting = chain.contracts.filter(({ entryPointVersion }) => entryPointVersion === entryPoint);
  const [only, ...others] = fitting;
  if (only === undefined) {
    throw mistake(`Chain ${chainId} has contracts for the EntryPoints ${known}, not ${entryPoint}.`);
  }
  if (others.length === 0) return only.version;
  const versions = fitting.map(({ version, family }) => `${version} (${family})`);
  throw mistake(
    `Chain ${chainId} has several contracts for it. Name one with --paymaster-version: ${versions.join(', ')}.`,
  );
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
