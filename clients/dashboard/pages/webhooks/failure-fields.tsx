import type { CreateWebhookRequest, ListedWebhookItem, WebhookItem } from '@tollfree/contract/webhook';
import { useState } from 'react';
import { formatEther, parseEther } from 'viem';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { amountOfCoin, coinName } from '../../parts/text/chain-name.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { useSaveWebhook, webhookSettings } from './use-save-webhook.ts';

const choices = [
  { value: 'REFUSE', text: 'Refuse everything' },
  { value: 'HOUR', text: 'Sponsor without it, up to an amount per hour' },
  { value: 'DAY', text: 'Sponsor without it, up to an amount per day' },
] as const;

type FailureFieldsProps = { readonly value: FailureChoice; readonly onChange: (value: FailureChoice) => void };

/** The choice, and its amount if it needs one. */
export function FailureFields({ value, onChange }: FailureFieldsProps) {
  const { chainId } = usePaymaster();
  return (
    <div className="form-row">
      <Choice
        label="If it is down"
        value={value.when}
        options={choices}
        onChange={(when) => onChange({ ...value, when })}
      />
      {value.when === 'REFUSE' ? null : (
        <TextInput
          label={`Maximum, in ${coinName(chainId)}`}
          placeholder="0.05"
          hint="Anyone who makes your webhook fail can spend this amount, but no more. An explicit no still refuses."
          isRequired
          value={value.amount}
          onChange={(amount) => onChange({ ...value, amount })}
          check={wrongAmount}
        />
      )}
    </div>
  );
}

/** What happens to operations while a webhook is down, in the form's format; the amount is in units of the coin. */
type FailureChoice = { readonly when: 'REFUSE' | 'HOUR' | 'DAY'; readonly amount: string };

export function failureChoiceOf({ failureBudget }: Pick<WebhookItem, 'failureBudget'>): FailureChoice {
  if (failureBudget === undefined) return { when: 'REFUSE', amount: '' };
  return { when: failureBudget.window, amount: formatEther(BigInt(failureBudget.max)) };
}

/** The choice as request fields; undefined for an invalid amount. */
export function failureSettings({
  when,
  amount,
}: FailureChoice): Pick<CreateWebhookRequest, 'onFailure' | 'failureBudget'> | undefined {
  if (when === 'REFUSE') return { onFailure: when };
  if (wrongAmount(amount) !== undefined) return undefined;
  return { onFailure: 'SPONSOR', failureBudget: { window: when, max: parseEther(amount.trim()).toString() } };
}

/** What is wrong with an amount; undefined if it is valid. */
function wrongAmount(amount: string): string | undefined {
  const isAmount = /^\d{1,9}(\.\d{1,18})?$/.test(amount.trim()) && parseEther(amount.trim()) > 0n;
  return isAmount ? undefined : 'Write an amount like 0.05.';
}

/** Shows and changes what happens while a webhook is down. */
export function WebhookFailure({ webhook }: { readonly webhook: ListedWebhookItem }) {
  const paymaster = usePaymaster();
  const [isOpen, setOpen] = useState(false);
  // As the form was opened.
  const [seen, setSeen] = useState(() => webhookSettings(webhook));
  const [choice, setChoice] = useState(failureChoiceOf(webhook));
  const settings = failureSettings(choice);
  const save = useSaveWebhook(webhook);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && !isOpen) setSeen(webhookSettings(webhook));
        setOpen(currentTarget.open);
      }}
    >
      <summary>If it is down: {describe(webhook, paymaster.chainId)}</summary>
      <div className="details-body">
        <FieldForm
          action={save}
          submit="Save"
          kind="plain"
          onSubmit={() => {
            if (settings === undefined) return;
            const mine = { ...seen.settings, failureBudget: undefined, ...settings };
            save.mutate({ seen, mine }, { onSuccess: () => setOpen(false) });
          }}
        >
          <FailureFields value={choice} onChange={setChoice} />
          <p className="small muted">Changing this resets the amount already sponsored without it.</p>
        </FieldForm>
      </div>
    </details>
  );
}

function describe(webhook: ListedWebhookItem, chainId: number): string {
  const { when, amount } = failureChoiceOf(webhook);
  if (when === 'REFUSE') return 'nothing is sponsored';
  return `operations are sponsored without it, up to ${amountOfCoin(amount, chainId)} in ${when === 'HOUR' ? 'an hour' : 'a day'}`;
}
