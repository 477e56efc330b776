import { isSame } from '../../api/merge-settings.ts';
import { Button } from '../../parts/button.tsx';
import { describeFields } from './describe-policy.ts';
import type { PolicyDraft } from './policy-draft.ts';
import { usePolicyNames } from './use-policy-names.ts';

export type RulesProps = {
  readonly draft: PolicyDraft;
  /** The policy in force. */
  readonly saved: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
};

/** Some fields of a draft that differ from the saved policy. */
export type FieldChange = {
  /** What is saved, in sentences. */
  readonly was: string;
  readonly undo: () => void;
};

/** How fields of a draft differ from the saved policy; undefined if they do not. */
export function useFieldChange({ draft, saved, onChange }: RulesProps, fields: readonly string[]) {
  const names = usePolicyNames();
  if (fields.every((field) => isSame(draft[field], saved[field]))) return undefined;
  const change: FieldChange = {
    was: describeFields(saved, fields, names).join(' ') || 'Not set.',
    undo: () => onChange({ ...draft, ...Object.fromEntries(fields.map((field) => [field, saved[field]])) }),
  };
  return change;
}

/** Takes a change back. `what` names it for screen readers. */
export function Undo({ what, onPress }: { readonly what: string; readonly onPress: () => void }) {
  return (
    <Button kind="quiet" label={`Undo: ${what}`} onPress={onPress}>
      Undo
    </Button>
  );
}

/** The saved value of a changed rule. */
export function Was({ text }: { readonly text: string }) {
  return (
    <span className="hint was">
      It was: <del>{text}</del>
    </span>
  );
}
