import { type ReactNode, useEffect } from 'react';

export type PageProps = {
  readonly title: string;
  /** What the page is for, in a sentence. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** A page with its heading, which is the title of the window too. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Tollfree`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead === undefined ? null : <p className="lead">{lead}</p>}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
