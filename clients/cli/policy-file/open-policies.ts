import { createManagementClient, type ManagementClient } from '@tollfree/sdk/management';
import { mistake } from '../terminal/cli-error.ts';
import { processEnvironment } from '../terminal/environment.ts';
import { type Flags, textFlag } from '../terminal/flags.ts';
import { missingApiKey, withManagement } from '../with-management.ts';

/** Where policies are read and written. */
export type OpenPolicies = {
  readonly client: ManagementClient;
  readonly baseUrl: string;
  /** Absent for an apiKey that is not the paymaster's own, which no list contains. */
  readonly paymasterId?: string;
};

/**
 * Works on the policies of the paymaster whose id the file names, or else that of the given apiKey. Refuses a file and an
 * apiKey of different paymasters.
 */
export async function withPolicies(
  flags: Flags,
  paymasterId: string | undefined,
  work: (opened: OpenPolicies) => Promise<void>,
): Promise<void> {
  await withManagement(flags, async (account, target) => {
    const { baseUrl, authToken } = target;
    const paymasters = await account.listPaymasters();
    if (paymasterId === undefined) {
      const { apiKey } = target;
      if (apiKey === undefined) throw missingApiKey();
      const own = paymasters.find((one) => one.apiKey === apiKey);
      return work({ client: account, baseUrl, ...(own === undefined ? {} : { paymasterId: own.paymasterId }) });
    }
    const named = paymasters.find((one) => one.paymasterId === paymasterId);
    if (named === undefined) {
      throw mistake(`The policy file is for the paymaster ${paymasterId}, which this account does not have.`);
    }
    const { apiKey } = named;
    const asked = textFlag(flags, 'apiKey') ?? (processEnvironment().TOLLFREE_API_KEY || undefined);
    if (asked !== undefined && asked !== apiKey) {
      throw mistake(
        `The policy file is for the paymaster ${paymasterId}, but the apiKey belongs to another. Leave one of them out.`,
      );
    }
    return work({ client: createManagementClient({ baseUrl, authToken, apiKey }), baseUrl, paymasterId });
  });
}
