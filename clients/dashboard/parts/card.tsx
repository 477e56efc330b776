import { type ReactNode, useId } from 'react';

type CardProps = {
  readonly title: string;
  readonly lead?: ReactNode | undefined;
  /** To the right of the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A section of a page with its own heading. */
export function Card({ title, lead, actions, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead === undefined ? null : <p className="card-lead">{lead}</p>}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
