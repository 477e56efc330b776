import { maxApiKeyGraceSeconds } from '@tollfree/contract/limits';
import { mistake } from '../cli-error.ts';
import type { Flags } from '../config/load-config.ts';
import { formatTime, printRows } from '../print-rows.ts';
import { printAnswer, printHint, printLine } from './print-answer.ts';
import { requiredFlag } from './text-flag.ts';
import { withManagement } from './with-management.ts';

/** `tollfree paymaster create`: the new apiKey, and the address it is used at. */
export async function createPaymaster(name: string, flags: Flags): Promise<void> {
  const chainId = Number(requiredFlag(flags, 'chainId'));
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw mistake('--chain-id must be a whole number above 0.');
  const version = requiredFlag(flags, 'paymasterVersion');
  await withManagement(flags, async (client, { baseUrl }) => {
    const paymaster = await client.createPaymaster({ name, chainId, version });
    printAnswer(flags, paymaster, () => {
      const { apiKey, paymasterId } = paymaster;
      printLine(`Registered the paymaster ${paymaster.name} on chain ${chainId}.`);
      printLine(`apiKey       ${apiKey}`);
      printLine(`paymasterId  ${paymasterId}`);
      printLine(`RPC          ${baseUrl.replace(/\/+$/, '')}/api/v2/${chainId}/${apiKey}`);
    });
  });
}

/** `tollfree paymaster list`. */
export async function listPaymasters(flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    const paymasters = await client.listPaymasters();
    printAnswer(flags, paymasters, () => {
      if (paymasters.length === 0) return printHint('This account has no paymasters.');
      printRows(
        paymasters.map(({ paymasterId, chainId, version, contract, apiKey, name }) => ({
          paymasterId,
          chainId: `${chainId}`,
          version,
          entryPoint: contract?.entryPointVersion ?? '-',
          apiKey,
          name,
        })),
      );
    });
  });
}

/** `tollfree paymaster chains`. */
export async function listChains(flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    const chains = await client.listChains();
    printAnswer(flags, chains, () =>
      printRows(
        chains.flatMap(({ chainId, name, contracts }) =>
          contracts.map(({ version, family, address, entryPointVersion }) => ({
            ...{
              chainId: `${chainId}`,
              chain: name,
              version,
              entryPoint: entryPointVersion,
              family,
              contract: address,
            },
          })),
        ),
      ),
    );
  });
}

/** `tollfree paymaster keys`. */
export async function listApiKeys(paymasterId: string, flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    const keys = await client.listApiKeys({ paymasterId });
    printAnswer(flags, keys, () =>
      printRows(
        keys.map(({ apiKeyId, createdAt, expiresAt }) => ({
          apiKeyId,
          made: formatTime(createdAt),
          accepted: expiresAt === undefined ? 'the newest' : `until ${formatTime(expiresAt)}`,
        })),
      ),
    );
  });
}

/** `tollfree paymaster rotate-key`: the new apiKey alone on stdout. */
export async function rotateApiKey(paymasterId: string, flags: Flags): Promise<void> {
  const grace = requiredFlag(flags, 'graceSeconds');
  const graceSeconds = /^\d{1,10}$/.test(grace) ? Number(grace) : Number.NaN;
  if (!(graceSeconds <= maxApiKeyGraceSeconds)) {
    throw mistake(`--grace-seconds must be a whole number from 0 to ${maxApiKeyGraceSeconds}.`);
  }
  await withManagement(flags, async (client) => {
    const created = await client.rotateApiKey({ paymasterId, graceSeconds });
    printAnswer(flags, created, () => {
      printLine(created.apiKey);
      printHint(
        graceSeconds === 0
          ? 'Those before it are no longer accepted.'
          : `Those before it are accepted until ${formatTime(created.createdAt + graceSeconds)}.`,
      );
    });
  });
}

/** `tollfree paymaster end-key`. */
export async function endApiKey(paymasterId: string, apiKeyId: string, flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    await client.endApiKey({ paymasterId, apiKeyId });
    printAnswer(flags, { apiKeyId }, () => printLine(`Ended the apiKey ${apiKeyId}.`));
  });
}
