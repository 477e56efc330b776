import type { ReactNode } from 'react';
import { type RulesProps, Undo, useFieldChange, Was } from './changed-rule.tsx';

/** A group of rules, each a sentence with fields in it. */
export function Rules({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="card flush" aria-label={title}>
      <div className="card-head">
        <h2>{title}</h2>
      </div>
      <ul className="rules">{children}</ul>
    </section>
  );
}

type RuleProps = {
  readonly children: ReactNode;
  readonly hint?: ReactNode;
  readonly tools?: ReactNode;
  readonly state?: 'changed' | 'added' | 'removed' | undefined;
  /** The saved value of a changed rule. */
  readonly was?: string | undefined;
};

/** A row with a sentence, marked if it differs from what is saved. */
export function Rule({ children, hint, tools, state, was }: RuleProps) {
  return (
    <li className={state}>
      <div className="sentence">
        {children}
        {was === undefined ? null : <Was text={was} />}
      </div>
      <div className="rule-tools">{tools}</div>
      {hint === undefined ? null : <p className="hint">{hint}</p>}
    </li>
  );
}

/** The parts of a row about some fields that differ from what is saved; none if they do not. */
export function useChangedRow(props: RulesProps, what: string, fields: readonly string[]): Partial<RuleProps> {
  const change = useFieldChange(props, fields);
  if (change === undefined) return {};
  return { state: 'changed', was: change.was, tools: <Undo what={what} onPress={change.undo} /> };
}
