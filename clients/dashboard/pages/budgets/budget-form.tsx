import { useMutation, useQuery } from '@tanstack/react-query';
import type { BudgetItem, BudgetTerms } from '@tollfree/contract/budget';
import { maxNameLength } from '@tollfree/contract/limits';
import { useState } from 'react';
import { paymastersQuery } from '../../api/of-account.ts';
import { routes } from '../../api/routes.ts';
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

/** Sets a budget for all paymasters, or for the selected ones. */
export function BudgetForm({ budget, onDone }: BudgetFormProps) {
  const { data: paymasters = [] } = useQuery(paymastersQuery);
  const [name, setName] = useState(budget?.name ?? '');
  const [maxUsd, setMaxUsd] = useState(budget?.maxUsd ?? '');
  const [window, setWindow] = useState<BudgetItem['window']>(budget?.window ?? 'MONTH');
  const [chosen, setChosen] = useState<readonly string[]>(budget?.paymasterIds ?? []);
  const save = useMutation({
    mutationFn: (body: BudgetTerms) =>
      budget === undefined
        ? routes.budget.create({ headers: {}, body })
        : routes.budget.replace({ headers: {}, params: { budgetId: budget.budgetId }, body }),
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
        save.mutate({ name, maxUsd, window, ...(chosen.length === 0 ? {} : { paymasterIds: [...chosen] }) })
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
