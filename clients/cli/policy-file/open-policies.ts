import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
import { missingApiKey, openManagement } from '../open-management.ts';
import { mistake } from '../terminal/cli-error.ts';
import { processEnvironment } from '../terminal/environment.ts';
import { type Flags, textFlag } from '../terminal/flags.ts';

/** Where policies are read and written. */
export type OpenPolicies = {
  readonly client: ManagementClient;
  readonly baseUrl: string;
  /** Absent for an apiKey that is not the paymaster's own, which no list contains. */
  readonly paymasterId?: string;
};

/**
 * The policies of the paymaster whose id the file names, or else that of the given apiKey. Refuses a file and an apiKey of
 * different paymasters.
 */
export async function openPolicies(flags: Flags, paymasterId: string | undefined): Promise<OpenPolicies> {
  const { client, baseUrl, authToken, apiKey } = openManagement(flags);
  const paymasters = await client.listPaymasters();
  if (paymasterId === undefined) {
    if (apiKey === undefined) throw missingApiKey();
    const own = paymasters.find((one) => one.apiKey === apiKey);
    return { client, baseUrl, ...(own === undefined ? {} : { paymasterId: own.paymasterId }) };
  }
  const named = paymasters.find((one) => one.paymasterId === paymasterId);
  if (named === undefined) {
    throw mistake(`The policy file is for the paymaster ${paymasterId}, which this account does not have.`);
  }
  const asked = textFlag(flags, 'apiKey') ?? (processEnvironment().TOLLFREE_API_KEY || undefined);
  if (asked !== undefined && asked !== named.apiKey) {
    throw mistake(
      `The policy file is for the paymaster ${paymasterId}, but the apiKey belongs to another. Leave one of them out.`,
    );
  }
  return { client: createManagementClient({ baseUrl, authToken, apiKey: named.apiKey }), baseUrl, paymasterId };
}
