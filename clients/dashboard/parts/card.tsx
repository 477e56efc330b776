import { type ReactNode, useId } from 'react';

export type CardProps = { readonly title: string; readonly lead?: ReactNode; readonly children: ReactNode };

/** A part of a page with a heading of its own. */
export function Card({ title, lead, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead === undefined ? null : <p className="card-lead">{lead}</p>}
      {children}
    </section>
  );
}
