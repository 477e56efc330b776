import { useQuery } from '@tanstack/react-query';
import { type OperationStatus, operationStatuses, operationStatusTexts } from '@tollfree/contract/operation-status';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { contractsQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Chip } from '../../parts/badge.tsx';
import { RangeField } from '../../parts/range-field.tsx';
import { reasonText } from '../../parts/text/chain-name.ts';
import { Short } from '../../parts/value.tsx';
import { eventPresets } from '../../time/time-range.ts';
import { type ActivitySearch, isAddress, maxSoughtLength } from './activity-search.ts';

type ActivityFiltersProps = {
  readonly search: ActivitySearch;
  readonly onChange: (search: ActivitySearch) => void;
};

/** Always in sight. The others are one press away. */
const usual: readonly OperationStatus[] = ['included', 'failed', 'refused'];
const others = operationStatuses.filter((status) => !usual.includes(status));

/** Searches and filters the operations. */
export function ActivityFilters({ search, onChange }: ActivityFiltersProps) {
  const { status, reason, sender, mode, range, from, until } = search;
  const [isWhole, setWhole] = useState(false);
  const set = (change: ActivitySearch) => onChange({ ...search, ...change });
  const chipOf = (each: OperationStatus) => (
    <Chip
      key={each}
      isOn={status === each}
      onPress={() => set({ status: status === each ? undefined : each, reason: undefined })}
    >
      {operationStatusTexts[each].label}
    </Chip>
  );
  const isUnusual = status !== undefined && !usual.includes(status);
  return (
    <section aria-label="Filters" className="stack close">
      <div className="filters">
        <SearchInput search={search} onChange={onChange} />
        <RangeField
          presets={eventPresets}
          time={search}
          usual="all"
          calendar="local"
          onChange={(time) => onChange({ ...search, range: undefined, from: undefined, until: undefined, ...time })}
        />
      </div>
      <div className="chips">
        <Chip
          isOn={status === undefined && reason === undefined}
          onPress={() => onChange({ range, from, until, sender, mode, text: search.text })}
        >
          All
        </Chip>
        {usual.map(chipOf)}
        {isUnusual && !isWhole ? chipOf(status) : null}
        {mode === 'ERC20' || isWhole ? (
          <Chip isOn={mode === 'ERC20'} onPress={() => set({ mode: mode === 'ERC20' ? undefined : 'ERC20' })}>
            Paid in a token
          </Chip>
        ) : null}
        {isWhole ? others.map(chipOf) : null}
        {reason === undefined ? null : (
          <Chip isOn isRemovable onPress={() => set({ reason: undefined })}>
            {reasonText(reason)}
          </Chip>
        )}
        {sender === undefined ? null : (
          <Chip isOn isRemovable onPress={() => set({ sender: undefined })}>
            From <Short hex={sender} />
          </Chip>
        )}
        <button type="button" className="chip plain" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Fewer filters' : 'More filters'}
        </button>
      </div>
    </section>
  );
}

/** Waits until the reader pauses, in milliseconds. */
const pauseMs = 250;

/** A sender's address becomes a filter; any other text is sought in the operations. */
function SearchInput({ search, onChange }: ActivityFiltersProps) {
  const { data: contracts = [] } = useQuery(contractsQuery(usePaymaster()));
  const { text = '' } = search;
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  // The address of the page can change without a key: by going back, or by a button.
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  const seek = useEffectEvent((value: string) => {
    if (value === sent.current) return;
    sent.current = value;
    const isContract = contracts.some(({ address }) => address.toLowerCase() === value.toLowerCase());
    if (!isAddress(value) || isContract) onChange({ ...search, text: value === '' ? undefined : value });
    else {
      sent.current = '';
      setTyped('');
      onChange({ ...search, sender: value, text: undefined });
    }
  });
  useEffect(() => {
    const timer = setTimeout(() => seek(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      type="search"
      className="input search"
      aria-label="Search operations"
      placeholder="Hash, sender, contract, method or reason"
      spellCheck={false}
      maxLength={maxSoughtLength}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}
