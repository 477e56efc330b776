import { DecisionOutcomeSchema } from '@tollfree/contract/decision-fields';
import { rpcRefusals } from '@tollfree/contract/rpc/refusals';
import { Choice } from '../../parts/choice.tsx';
import { startOfDay } from '../../parts/text/start-of-day.ts';
import { TextInput } from '../../parts/text-input.tsx';
import type { DecisionFilters } from './decision-filters.ts';
import { outcomeWords } from './outcome-words.ts';

const any = 'any';
const outcomes = [any, ...DecisionOutcomeSchema.options] as const;
const reasons = [any, ...Object.keys(rpcRefusals).toSorted()];
const modes = [any, 'SPONSORED', 'ERC20'] as const;
const modeWords = { any: 'Any', SPONSORED: 'You', ERC20: 'The user, in a token' };

export type ActivityFiltersProps = {
  readonly filters: DecisionFilters;
  readonly onChange: (filters: DecisionFilters) => void;
};

/** Narrows the answers down. */
export function ActivityFilters({ filters, onChange }: ActivityFiltersProps) {
  const set = (change: DecisionFilters) => onChange({ ...filters, ...change });
  return (
    <section aria-label="Filters" className="form-row">
      <Choice
        label="Answer"
        value={filters.outcome ?? any}
        options={outcomes.map((value) => ({ value, text: value === any ? 'Any' : outcomeWords[value] }))}
        onChange={(value) => set({ outcome: value === any ? undefined : value })}
      />
      <Choice
        label="Reason of a refusal"
        value={filters.reason ?? any}
        options={reasons.map((value) => ({ value, text: value === any ? 'Any' : value }))}
        onChange={(value) => set({ reason: value === any ? undefined : value })}
      />
      <Choice
        label="Who pays"
        value={filters.mode ?? any}
        options={modes.map((value) => ({ value, text: modeWords[value] }))}
        onChange={(value) => set({ mode: value === any ? undefined : value })}
      />
      <TextInput
        label="Sender"
        placeholder="0x…"
        isCode
        check={(value) => (isSender(value) || value === '' ? undefined : 'An address is 0x and 40 hex digits.')}
        onChange={(value) => set({ sender: isSender(value.trim()) ? value.trim() : undefined })}
      />
      <TextInput label="From" type="date" onChange={(day) => set({ from: startOfDay(day) })} />
      <TextInput label="Until" type="date" onChange={(day) => set({ until: startOfDay(day, 1) })} />
    </section>
  );
}

function isSender(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text);
}
