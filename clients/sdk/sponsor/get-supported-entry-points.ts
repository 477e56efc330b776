import { pmSupportedEntryPoints } from '@tollfree/contract/rpc/pm-supported-entry-points';
import type { Address } from 'viem';
import { z } from 'zod';
import { checkResult, type SponsorConnection } from './sponsor-connection.ts';
import { AddressSchema } from './wire-fields.ts';

const EntryPointsSchema = z.array(AddressSchema);

/** `pm_supportedEntryPoints`: addresses of the EntryPoints whose operations the paymaster pays for. */
export async function getSupportedEntryPoints(client: SponsorConnection): Promise<readonly Address[]> {
  return checkResult(await client.call(pmSupportedEntryPoints.method, []), EntryPointsSchema);
}
