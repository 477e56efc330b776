import { counted } from '@tollfree/contract/counted';
import { usdText } from '@tollfree/contract/fields/forms';
import { suggestCap, suggestDailyUsd } from '@tollfree/contract/suggested-limit';
import { formatEther } from 'viem';
import { type CapRefusals, countCapRefusals, selectLimitRefusals } from '../../../core/decisions/cap-refusals.ts';
import { selectUnbounded } from '../../../core/policies/unbounded-paymasters.ts';
import { selectUncapped } from '../../../core/policies/uncapped-paymasters.ts';
import { type CompiledStatement, compileStatement } from '../../../core/store/compile-statement.ts';
import type { Config } from '../../config/config-schema.ts';
import { type Finding, findingsAbout } from '../finding.ts';

/** Most paymasters that a finding names. */
const mostNamed = 3;
const daySeconds = 86_400;

/** Reads the rows of a statement, of a file or a server. */
export type ReadRows = <Row extends object>(statement: CompiledStatement) => readonly Row[] | Promise<readonly Row[]>;

type Named = { readonly name: string; readonly chain_id: number };

/**
 * Checks what the paymasters' policies leave open, and what their caps refused in the last day.
 *
 * @param options.now - Unix milliseconds.
 */
export async function checkPaymasters(
  readRows: ReadRows,
  options: { readonly database: 'sqlite' | 'postgres'; readonly config: Config; readonly now: number },
): Promise<readonly Finding[]> {
  const { database, config, now } = options;
  const since = Math.floor(now / 1_000) - daySeconds;
  const unbounded = await readRows<Named>(
    compileStatement(database, (db) =>
      selectUnbounded(db).select(['paymasters.name', 'chain_id']).orderBy('paymaster_number'),
    ),
  );
  const uncapped = await readRows<Named>(
    compileStatement(database, (db) =>
      selectUncapped(db).select(['paymasters.name', 'chain_id']).orderBy('paymaster_number'),
    ),
  );
  const refused = countCapRefusals(await readRows(compileStatement(database, (db) => selectLimitRefusals(db, since))));
  const withoutCeiling = (config.chains ?? [])
    .filter(({ maxCostPerOperation }) => maxCostPerOperation === 'none')
    .map(({ chainId }) => chainId);
  return [
    ...boundFindings(unbounded),
    ...uncappedFindings(uncapped.filter(({ chain_id }) => withoutCeiling.includes(chain_id))),
    ...refused.map(refusedFinding),
  ];
}

/** Warns of paymasters whose tanks any number of senders can empty, by their names. */
function boundFindings(unbounded: readonly Named[]): readonly Finding[] {
  if (unbounded.length === 0) return [];
  const message = `${namesOf(unbounded)} no total limit: strangers can spend the whole gas tank.`;
  const [only, ...others] = unbounded;
  const [whom, name] =
    only !== undefined && others.length === 0 ? ['', JSON.stringify(only.name)] : [' of each', '<name>'];
  const command = `tollfree budget create ${name} --max ${suggestDailyUsd()} --window day --paymasters ${name}`;
  const remedy = `Limit what a day${whom} may cost: ${command}`;
  return [findingsAbout('paymasters').warning('paymaster-unbounded', message, remedy)];
}

/** Warns of paymasters where one operation can cost anything, since neither their policy nor the operator bounds it. */
function uncappedFindings(uncapped: readonly Named[]): readonly Finding[] {
  if (uncapped.length === 0) return [];
  const message = `${namesOf(uncapped)} no cap on what one operation can cost, and the chain has no ceiling.`;
  const remedy = 'Set maxCostPerOperation in the policy, or maxCostPerOperation of the chain in the configuration.';
  return [findingsAbout('paymasters').warning('paymaster-uncapped', message, remedy)];
}

function refusedFinding({ name, policyId, count, wei, usdMicros }: CapRefusals): Finding {
  const requests = counted(count, 'request');
  const message = `A policy of "${name}" refused ${requests} in the last day because of maxCostPerOperation.`;
  const caps = [
    ...(wei === undefined ? [] : [`"${formatEther(suggestCap(wei))} ether"`]),
    ...(usdMicros === undefined ? [] : [`"${usdText(suggestCap(usdMicros))} USD"`]),
  ];
  const command = [
    `tollfree policy set-cap ${caps.join(' ')} --paymaster ${JSON.stringify(name)}`,
    ...(policyId === '' ? [] : [`--policy ${policyId}`]),
  ].join(' ');
  const remedy = `If these were honest operations, raise the cap: ${command}`;
  return findingsAbout('paymasters').warning('paymaster-cap-refuses', message, remedy);
}

function namesOf(paymasters: readonly Named[]): string {
  const names = paymasters.slice(0, mostNamed).map(({ name }) => `"${name}"`);
  const others = paymasters.length > mostNamed ? ` and ${paymasters.length - mostNamed} more` : '';
  const [who, have] = paymasters.length === 1 ? ['The paymaster', 'has'] : ['The paymasters', 'have'];
  return `${who} ${names.join(', ')}${others} ${have}`;
}
