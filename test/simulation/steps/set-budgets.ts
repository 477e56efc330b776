import { type BudgetTerms, budgetWindows } from '../../../core/domain/budget.ts';
import { worthOf } from '../model/ledger-model.ts';
import { accountId, tenants } from '../world/world.ts';
import { type Simulation, tell } from './simulation-state.ts';
import { type Step, unlessDead } from './take-steps.ts';

/** How many budgets the account has at most: with more nothing would be signed any more. */
const maxBudgets = 2;

/** The account holder sets a budget, changes one, or deletes one. */
export const setBudgets: Step = async (simulation) => {
  const { random } = simulation;
  const { budgets, observed } = simulation.service.running();
  const known = observed.budgets();
  const one = known.length > 0 ? random.pick(known) : undefined;
  const terms = randomTerms(simulation, one?.name ?? `budget ${known.length}`);
  if (one === undefined || (known.length < maxBudgets && random.chance(30))) {
    const name = known.some((other) => other.name === 'budget 0') ? 'budget 1' : 'budget 0';
    tell(simulation, `a new budget: ${describe({ ...terms, name })}`);
    await mustBeDone(budgets.createBudget({ accountId, terms: { ...terms, name } }));
  } else if (random.chance(50)) {
    tell(simulation, `another budget: ${describe(terms)}`);
    await mustBeDone(budgets.replaceBudget({ accountId, budgetId: one.budget_id, terms }));
  } else {
    tell(simulation, `no budget ${one.name} any more`);
    await mustBeDone(budgets.deleteBudget({ accountId, budgetId: one.budget_id }));
  }
};

async function mustBeDone(changing: Promise<{ readonly ok: boolean }>): Promise<void> {
  if ((await unlessDead(changing))?.ok === false) throw new Error('A budget was refused.');
}

function randomTerms({ random, unit, usdMicrosPerCoin }: Simulation, name: string): BudgetTerms {
  const maxUsdMicros = worthOf(BigInt(random.between(1, 80)) * unit * 12n, usdMicrosPerCoin);
  const some = tenants.filter(() => random.chance(50)).map(({ paymasterId }) => paymasterId);
  const window = random.pick(budgetWindows);
  return { name, maxUsdMicros, window, ...(some.length > 0 && random.chance(50) ? { paymasterIds: some } : {}) };
}

function describe({ name, maxUsdMicros, window, paymasterIds }: BudgetTerms): string {
  const whose = paymasterIds?.map((id) => id.slice(-1)).join(' and ') ?? 'all';
  return `${name}, ${maxUsdMicros} in ${window} of ${whose}`;
}
