import { operationStatuses, operationStatusTexts } from '@tollfree/contract/operation-status';
import { useState } from 'react';
import { Chip } from '../../parts/badge.tsx';
import { Segments } from '../../parts/segments.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { Short } from '../../parts/value.tsx';
import { type ActivitySearch, isAddress } from './activity-search.ts';

const ranges = [
  { value: '1h', text: '1 h' },
  { value: '24h', text: '24 h' },
  { value: '7d', text: '7 d' },
  { value: '30d', text: '30 d' },
  { value: 'all', text: 'All' },
] as const;

type ActivityFiltersProps = {
  readonly search: ActivitySearch;
  readonly onChange: (search: ActivitySearch) => void;
};

/** Filters the operations. */
export function ActivityFilters({ search, onChange }: ActivityFiltersProps) {
  const { status, range, reason, sender, mode } = search;
  const set = (change: ActivitySearch) => onChange({ ...search, ...change });
  return (
    <section aria-label="Filters" className="filters">
      <div className="chips">
        <Chip isOn={status === undefined && reason === undefined} onPress={() => onChange({ range, sender, mode })}>
          All
        </Chip>
        {operationStatuses.map((each) => (
          <Chip
            key={each}
            isOn={status === each}
            onPress={() => set({ status: status === each ? undefined : each, reason: undefined })}
          >
            {operationStatusTexts[each].label}
          </Chip>
        ))}
        <Chip isOn={mode === 'ERC20'} onPress={() => set({ mode: mode === 'ERC20' ? undefined : 'ERC20' })}>
          Paid in a token
        </Chip>
        {reason === undefined ? null : (
          <Chip isOn isRemovable onPress={() => set({ reason: undefined })}>
            {reasonText(reason)}
          </Chip>
        )}
        {sender === undefined ? (
          <SenderInput onSender={(next) => set({ sender: next })} />
        ) : (
          <Chip isOn isRemovable onPress={() => set({ sender: undefined })}>
            From <Short hex={sender} />
          </Chip>
        )}
      </div>
      <Segments
        label="Time"
        value={range ?? 'all'}
        options={ranges}
        onChange={(next) => set({ range: next === 'all' ? undefined : next })}
      />
    </section>
  );
}

/** Accepts an address as soon as it is complete. */
function SenderInput({ onSender }: { readonly onSender: (sender: string) => void }) {
  const [text, setText] = useState('');
  const isWrong = text !== '' && !isAddress(text.trim());
  return (
    <input
      className="chip-input"
      aria-label="Sender"
      aria-invalid={isWrong}
      placeholder="Sender 0x…"
      spellCheck={false}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        if (isAddress(target.value.trim())) onSender(target.value.trim());
      }}
    />
  );
}
