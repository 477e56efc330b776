import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { PolicyItem } from '@tollfree/contract/policy';
import { Moment } from '../../parts/moment.tsx';
import { gweiText, usdOfMicros } from '../../parts/text/readable-amounts.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { Coin } from '../../parts/usd.tsx';
import { shortHex } from '../../parts/value.tsx';
import { describeLimit } from '../policy/describe-policy.ts';
import { valueNames, withinWindow } from '../policy/field-names.ts';

type ChangedValueProps = {
  readonly field: string;
  /** The chain of amounts, if the paymaster is known. */
  readonly chainId: number | undefined;
  readonly paymasters: readonly PaymasterItem[];
  readonly value: unknown;
  /** The value to compare with: of two lists only the differences are shown. */
  readonly other: unknown;
};

/** A value before or after a change, with units and names instead of what is stored. */
export function ChangedValue({ field, chainId = 0, paymasters, value, other }: ChangedValueProps) {
  if (value === undefined) return <span className="muted">nothing</span>;
  if (typeof value === 'number' && /(_at|At)$|^not(Before|After)$/.test(field)) return <Moment at={value} />;
  const text = String(value);
  if (/^\d+$/.test(text)) {
    if (/(^|[._])wei$|Wei$/.test(field)) return <Coin wei={String(BigInt(text))} chainId={chainId} />;
    if (/usd_?micros$/i.test(field)) return usdText(usdOfMicros(text));
    if (field.endsWith('FeePerGas')) return gweiText(text);
  }
  if (typeof value === 'boolean' || /^(active|enabled|disabled|tank_is_low)$/.test(field)) return yesNo[text] ?? text;
  if (field === 'paymaster_ids') {
    const nameOf = (id: string) => paymasters.find(({ paymasterId }) => paymasterId === id)?.name ?? id;
    return text.split(' ').map(nameOf).join(', ');
  }
  if (field === 'span') return valueNames[text.toUpperCase()] ?? text;
  if (!Array.isArray(value)) return valueNames[text] ?? <code>{text}</code>;
  return <ListedValues values={value} others={Array.isArray(other) ? other : []} chainId={chainId} />;
}

const yesNo: Readonly<Record<string, string>> = { '0': 'No', '1': 'Yes', false: 'No', true: 'Yes' };

type ListedValuesProps = {
  readonly values: readonly unknown[];
  readonly others: readonly unknown[];
  readonly chainId: number;
};

function ListedValues({ values, others, chainId }: ListedValuesProps) {
  if (values.length === 0) return <span className="muted">an empty list</span>;
  const known = new Set(others.map((each) => itemText(each, chainId)));
  const own = values.map((each) => itemText(each, chainId)).filter((each) => !known.has(each));
  const same = values.length - own.length;
  return (
    <ul>
      {own.map((each) => (
        <li key={each}>{each}</li>
      ))}
      {same === 0 ? null : <li className="muted">{own.length === 0 ? `the same ${same}` : `and the same ${same}`}</li>}
    </ul>
  );
}

function itemText(value: unknown, chainId: number): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const limit = storedLimit(value);
  if (limit !== undefined) return describeLimit(limit, { chainId, nameOf: shortHex });
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${typeof each === 'object' ? JSON.stringify(each) : String(each)}`)
    .join(', ');
}

type Limit = PolicyItem['limits'][number];

/** A limit as the API has it. The log has it as stored: lower case, and millionths of a USD. */
function storedLimit(value: object): Limit | undefined {
  const { window, unit, max, per = 'total', ...of } = value as Readonly<Record<string, unknown>>;
  const period = String(window).toUpperCase();
  if (!(period in withinWindow) || typeof max !== 'string') return undefined;
  const isUsd = unit === 'usdMicros';
  return {
    ...of,
    per: String(per).toUpperCase(),
    window: period,
    unit: isUsd ? 'USD' : String(unit).toUpperCase(),
    max: isUsd ? usdOfMicros(max) : max,
  } as Limit;
}
