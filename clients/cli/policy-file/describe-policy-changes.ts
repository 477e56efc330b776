import { canonicalText, type FieldChange, type PolicyChange, type PolicyChanges } from './find-policy-changes.ts';

/** Longest text of a value in a line; an icon would be pages long. */
const maxValueLength = 160;

/** The lines that show a person what a policy file would change. */
export function describePolicyChanges({ changes, kept }: PolicyChanges): readonly string[] {
  return [
    ...changes.flatMap((change) => [headOf(change), ...change.fields.flatMap(fieldLines)]),
    ...kept.map(
      ({ name, policyId }) => `${quoted(name)} (${policyId}) is not in the file and stays: --prune deletes it.`,
    ),
  ];
}

function headOf({ action, name, policyId }: PolicyChange): string {
  if (name === undefined) return 'The default policy changes:';
  if (action === 'create') return `${quoted(name)} is new:`;
  const id = `${quoted(name)} (${policyId})`;
  return action === 'delete' ? `${id} is deleted: requests that name it are refused.` : `${id} changes:`;
}

function fieldLines({ field, ...change }: FieldChange): readonly string[] {
  const { from, to } = change;
  if (Array.isArray(from ?? to) && Array.isArray(to ?? from)) {
    const lines = [
      ...without(from, to).map((item) => `    - ${valueText(item)}`),
      ...without(to, from).map((item) => `    + ${valueText(item)}`),
    ];
    const appears = from === undefined ? ': not set → a list' : to === undefined ? ': a list → not set' : '';
    return [`  ${field}${appears}`, ...lines];
  }
  const [before, after] = [from, to].map((value) => (value === undefined ? 'not set' : valueText(value)));
  return [`  ${field}: ${before} → ${after}`];
}

/** The items of a list that another one lacks, with multiplicity. */
function without(list: unknown, other: unknown): readonly unknown[] {
  const left = Array.isArray(other) ? other.map(canonicalText) : [];
  return (Array.isArray(list) ? list : []).filter((item) => {
    const found = left.indexOf(canonicalText(item));
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
}

function quoted(name: string): string {
  return `The policy ${JSON.stringify(name)}`;
}

function valueText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}… (${text.length} characters)`;
}
