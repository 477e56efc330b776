import { adviceOn } from '../api/advice-on.ts';

/** An error in the service's words, and what to do about it. Hidden without an error. */
export function Problem({ error }: { readonly error: Error | null | undefined }) {
  return (
    <div role="alert" className="alert-place">
      {error ? (
        <div className="notice bad">
          <p>
            <strong>{sentence(error.message)}</strong>
          </p>
          {adviceOn(error) === undefined ? null : <p>{adviceOn(error)}</p>}
        </div>
      ) : null}
    </div>
  );
}

function sentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}
