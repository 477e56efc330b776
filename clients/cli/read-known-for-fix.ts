import type { DecisionItem } from '@tollfree/contract/decision-fields';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ManagementClient } from '@tollfree/sdk/management';
import { isKeyAction, type KnownForFix, refusingStep } from './fix-commands.ts';
import { actsWithoutFlag } from './open-management.ts';
import type { Flags } from './terminal/flags.ts';

/** Reads what completes the commands that fix these decisions of the paymaster with this apiKey. */
export async function readKnownForFix(
  client: ManagementClient,
  apiKey: string,
  flags: Flags,
  decisions: readonly Pick<DecisionItem, 'trace'>[],
): Promise<KnownForFix> {
  const fixes = decisions.flatMap((decision) => refusingStep(decision)?.fix ?? []);
  if (fixes.length === 0) return {};
  const paymasters = await client.listPaymasters();
  const paymaster = paymasters.find((each) => each.apiKey === apiKey);
  return {
    ...(paymaster === undefined ? {} : { paymaster }),
    ...(paymaster === undefined || actsWithoutFlag(flags, paymaster)
      ? {}
      : { paymasterFlag: flagFor(paymaster, paymasters) }),
    ...(fixes.some(({ target }) => target !== undefined)
      ? { contracts: await client.listSmartContracts({ apiKey }) }
      : {}),
    ...(paymaster !== undefined && fixes.some(({ action }) => isKeyAction(action))
      ? { apiKeys: await client.listApiKeys({ paymasterId: paymaster.paymasterId }) }
      : {}),
    ...(fixes.some(({ action }) => action === 'change-budget') ? { budgets: await client.listBudgets() } : {}),
    ...(fixes.some(({ action }) => action === 'create-paymaster') ? { chains: await client.listChains() } : {}),
  };
}

/** Its name, or its id if another one has the name too. */
function flagFor({ name, paymasterId }: PaymasterItem, all: readonly PaymasterItem[]): string {
  return all.filter((each) => each.name === name).length === 1 ? name : paymasterId;
}
