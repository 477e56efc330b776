import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { TraceStep } from '../../domain/decision.ts';
import type { FindingTable } from './finding-text.ts';
import { holdFindings } from './hold-findings.ts';
import { policyFindings } from './policy-findings.ts';
import { stepFindings } from './step-findings.ts';

/** A value of a finding; bounded by the rule if it comes from a caller. */
type FindingValue = string | number | bigint | boolean | undefined;

/**
 * The texts of all findings. Stored decisions have names and values, so a text can be corrected for them too. A name whose
 * values change their meaning needs a new name.
 */
const findings = { ...policyFindings, ...holdFindings, ...stepFindings };

type Findings = typeof findings;
type ValuesOf<Text> = Text extends (...values: infer Values extends FindingValue[]) => unknown ? Values : [];

/** What a rule found, as a name and its values. Texts are made of it when someone reads them. */
export type Finding = {
  readonly [Name in keyof Findings]: readonly [Name, ...ValuesOf<Findings[Name]>];
}[keyof Findings];

/** A finding of the store: its name may be that of a newer version. */
export type StoredFinding = readonly [name: string, ...values: FindingValue[]];

const texts = new Map<string, FindingTable[string]>(Object.entries(findings));

/** The texts of a finding; its name and values if this version does not know it. */
export function textsOf([name, ...values]: StoredFinding): Pick<TraceStep, 'checked' | 'limit' | 'used'> {
  const text = texts.get(name) ?? [name, ...values].join(' ');
  // The compiler checked them where the finding was made.
  const made = typeof text === 'function' ? text(...(values as never[])) : text;
  const [checked, limit, used] = typeof made === 'string' ? [made] : made;
  return { checked, ...omitAbsent({ limit, used }) };
}
