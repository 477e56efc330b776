import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BudgetItem, BudgetTerms } from '@tollfree/contract/budget';
import { maxNameLength } from '@tollfree/contract/limits';
import { useState } from 'react';
import { budgetsQuery, paymastersQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
import { useSave, type Versioned } from '../../api/use-save.ts';
import { Check, Choice } from '../../parts/choice.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';

const windows = [
  { value: 'DAY', text: 'A day' },
  { value: 'WEEK', text: 'A week' },
  { value: 'MONTH', text: 'A month' },
  { value: 'EVER', text: 'Ever' },
] as const;

type BudgetFormProps = {
  /** The budget to change; a new one when absent. */
  readonly budget?: BudgetItem;
  readonly onDone: () => void;
};

/** What a budget can be replaced with; nothing for a new one. */
function settingsOf(budget: BudgetItem | undefined): Versioned<Partial<BudgetTerms>> {
  if (budget === undefined) return { settings: {}, etag: undefined };
  const { name, maxUsd, window, paymasterIds, etag } = budget;
  return { settings: { name, maxUsd, window, paymasterIds }, etag };
}

/** Sets a budget for all paymasters, or for the selected ones. */
export function BudgetForm({ budget, onDone }: BudgetFormProps) {
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const [name, setName] = useState(budget?.name ?? '');
  const [maxUsd, setMaxUsd] = useState(budget?.maxUsd ?? '');
  const [window, setWindow] = useState<BudgetItem['window']>(budget?.window ?? 'MONTH');
  const [chosen, setChosen] = useState<readonly string[]>(budget?.paymasterIds ?? []);
  const client = useQueryClient();
  // As the form was opened.
  const [seen] = useState(() => settingsOf(budget));
  const save = useSave({
    readNow: async () => {
      const budgets = await client.fetchQuery({ ...budgetsQuery, staleTime: 0 });
      return settingsOf(budgets.find(({ budgetId }) => budgetId === budget?.budgetId) ?? budget);
    },
    write: (terms: Partial<BudgetTerms>, version) => {
      const body = terms as BudgetTerms; // the form has filled it in
      return budget === undefined
        ? routes.budget.create({ headers: {}, body })
        : routes.budget.replace({ headers: version, params: { budgetId: budget.budgetId }, body });
    },
    onSuccess: () => {
      toast(budget === undefined ? `Budget “${name}” created.` : `Budget “${name}” saved.`);
      onDone();
    },
  });
  return (
    <FieldForm
      action={save}
      submit={budget === undefined ? 'Create budget' : 'Save budget'}
      onSubmit={() =>
        save.mutate({
          seen,
          mine: { name, maxUsd, window, paymasterIds: chosen.length === 0 ? undefined : [...chosen] },
        })
      }
    >
      <TextInput
        label="What it is for"
        name="name"
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
      <div className="form-row">
        <TextInput label="USD" name="maxUsd" hint="Such as 250.00." isRequired value={maxUsd} onChange={setMaxUsd} />
        <Choice label="Period" value={window} options={windows} onChange={setWindow} />
      </div>
      <fieldset className="stack">
        <legend className="label">Shared by the selected paymasters, or by all if none is selected</legend>
        {paymasters.map(({ paymasterId, name: called }) => (
          <Check
            key={paymasterId}
            isSelected={chosen.includes(paymasterId)}
            onChange={(isSelected) =>
              setChosen((before) =>
                isSelected ? [...before, paymasterId] : before.filter((other) => other !== paymasterId),
              )
            }
          >
            {called}
          </Check>
        ))}
      </fieldset>
    </FieldForm>
  );
}
