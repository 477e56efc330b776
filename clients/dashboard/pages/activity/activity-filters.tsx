import { operationStatuses, operationStatusTexts } from '@tollfree/contract/operation-status';
import { useState } from 'react';
import { Chip } from '../../parts/badge.tsx';
import { RangeField } from '../../parts/range-field.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { Short } from '../../parts/value.tsx';
import { eventPresets } from '../../time/time-range.ts';
import { type ActivitySearch, isAddress } from './activity-search.ts';

type ActivityFiltersProps = {
  readonly search: ActivitySearch;
  readonly onChange: (search: ActivitySearch) => void;
};

/** Filters the operations. */
export function ActivityFilters({ search, onChange }: ActivityFiltersProps) {
  const { status, reason, sender, mode, range, from, until } = search;
  const set = (change: ActivitySearch) => onChange({ ...search, ...change });
  return (
    <section aria-label="Filters" className="filters">
      <div className="chips">
        <Chip
          isOn={status === undefined && reason === undefined}
          onPress={() => onChange({ range, from, until, sender, mode })}
        >
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
      <RangeField
        presets={eventPresets}
        time={search}
        usual="all"
        calendar="local"
        onChange={(time) => onChange({ status, reason, sender, mode, ...time })}
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
