import type { pmSupportedEntryPoints } from '@tollfree/contract/rpc/pm-supported-entry-points';
import type { Address } from 'viem';
import { readAddress, readArray } from './read-form.ts';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';

const method = 'pm_supportedEntryPoints' satisfies typeof pmSupportedEntryPoints.method;

const readEntryPoints = readArray(readAddress);

/** `pm_supportedEntryPoints`: addresses of the EntryPoints whose operations the paymaster pays for. */
export async function getSupportedEntryPoints(client: SponsorConnection): Promise<readonly Address[]> {
  return checkResult(await client.call(method, []), readEntryPoints);
}
