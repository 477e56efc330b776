import { mistake } from '../clients/cli/terminal/cli-error.ts';
import { processEnvironment } from '../clients/cli/terminal/environment.ts';
import { type Flags, textFlag } from '../clients/cli/terminal/flags.ts';
import type { Core } from '../core/domain/core.ts';
import type { Paymaster } from '../core/domain/paymaster.ts';
import { accepted } from './accepted.ts';

/** Among all accounts: the paymaster of `--paymaster` (name or id) or of the apiKey, else the service's only one. */
export async function findPaymaster(
  core: Pick<Core, 'listAccounts' | 'listPaymasters'>,
  flags: Flags,
): Promise<Paymaster> {
  const wanted = textFlag(flags, 'paymaster');
  const apiKey = textFlag(flags, 'apiKey') ?? (processEnvironment().TOLLFREE_API_KEY || undefined);
  const paymasters: Paymaster[] = [];
  for (const { accountId } of accepted(await core.listAccounts({}))) {
    paymasters.push(...accepted(await core.listPaymasters({ accountId })));
  }
  const isWanted = (one: Paymaster) =>
    wanted === undefined
      ? apiKey === undefined || one.apiKey === apiKey
      : one.paymasterId === wanted || one.name === wanted;
  const [found, ...others] = paymasters.filter(isWanted);
  if (found === undefined) throw mistake('The service does not know this paymaster.');
  if (others.length === 0) return found;
  const known = [found, ...others].map(({ paymasterId, name }) => `${paymasterId} (${name})`);
  throw mistake(`Name the paymaster: --paymaster, by the id of one of ${known.join(', ')}.`);
}
