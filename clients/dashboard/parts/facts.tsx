import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

type FactsProps = {
  readonly facts: readonly (Fact | undefined)[];
  /** `short`: values of a few letters, in columns where there is room, and at the right on a phone. */
  readonly layout?: 'short';
};

/** A list of names and values. */
export function Facts({ facts, layout }: FactsProps) {
  return (
    <dl className={layout === undefined ? 'facts' : `facts ${layout}`}>
      {facts.map((fact) =>
        fact === undefined ? null : (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
