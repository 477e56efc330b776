import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Problem } from './problem.tsx';
import { Value } from './value.tsx';

type CalledUrlProps = {
  readonly what: 'webhook' | 'notification';
  /** Its URL, or what stands for a secret one. */
  readonly url: string;
  /** Absent where calls are not signed. */
  readonly signing?: SigningSecretProps;
  readonly isActive: boolean;
  /** What it is called for: next to its state, and in lines of its own. */
  readonly about: ReactNode;
  readonly more?: ReactNode;
  /** The button that calls it for a test. */
  readonly test: ReactNode;
  /** Further buttons, before those that pause and delete it. */
  readonly actions: ReactNode;
  readonly setActive: (isActive: boolean) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
  readonly whenDeleted: string;
  readonly children: ReactNode;
};

/** A URL of the account holder that the service calls, with its state, its secret, and buttons that change them. */
export function CalledUrl(props: CalledUrlProps) {
  const { what, url, isActive, about, more, test, actions, whenDeleted, children, signing } = props;
  const update = useMutation({ mutationFn: () => props.setActive(!isActive) });
  const remove = useMutation({ mutationFn: props.remove });
  return (
    <div className="stack">
      <div className="page-head">
        <div>
          <h3>
            <code>{url}</code>
          </h3>
          <p>
            <Badge kind={isActive ? 'good' : 'warn'}>{isActive ? 'Active' : 'Paused'}</Badge>{' '}
            <span className="small muted">{about}</span>
          </p>
          {more}
        </div>
        <div className="actions">{test}</div>
      </div>
      {children}
      <details className="more">
        <summary>{signing === undefined ? 'Settings' : 'Secret and settings'}</summary>
        <div className="stack">
          {signing === undefined ? null : <SigningSecret {...signing} />}
          <div className="actions">
            {actions}
            <Button needs={['manage']} isPending={update.isPending} onPress={() => update.mutate()}>
              {isActive ? 'Pause' : 'Resume'}
            </Button>
            <ConfirmButton
              text="Delete"
              needs={['manage']}
              title={`Delete this ${what}?`}
              confirm={`Delete ${what}`}
              isPending={remove.isPending}
              onConfirm={() => remove.mutate()}
            >
              {whenDeleted}
            </ConfirmButton>
          </div>
        </div>
      </details>
      <Problem error={update.error ?? remove.error} />
    </div>
  );
}

type Secret = { readonly secret: string };
type SigningSecretProps = {
  readonly readSecret: () => Promise<Secret>;
  readonly rotateSecret: () => Promise<Secret>;
};

/** The secret that signs calls to a URL (Standard Webhooks), shown on request and replaceable. */
function SigningSecret({ readSecret, rotateSecret }: SigningSecretProps) {
  const show = useMutation({ meta: { onlyReads: true }, gcTime: 0, mutationFn: readSecret });
  const rotate = useMutation({ gcTime: 0, mutationFn: rotateSecret, onSuccess: () => show.reset() });
  const secret = show.data?.secret ?? rotate.data?.secret;
  const hide = () => {
    show.reset();
    rotate.reset();
  };
  return (
    <div className="stack">
      <div role="status">
        <p>
          Signing secret:{' '}
          {secret === undefined ? (
            <code className="muted">whsec_••••••••</code>
          ) : (
            <Value text={secret} what="signing secret" />
          )}
        </p>
      </div>
      <div className="actions">
        {secret === undefined ? (
          <Button needs={['manage']} isPending={show.isPending} onPress={() => show.mutate()}>
            Show signing secret
          </Button>
        ) : (
          <Button onPress={hide}>Hide signing secret</Button>
        )}
        <ConfirmButton
          text="Replace secret"
          needs={['manage']}
          title="Replace the signing secret?"
          confirm="Replace secret"
          isPending={rotate.isPending}
          onConfirm={() => rotate.mutate()}
        >
          Calls are signed with the new secret immediately. Your server rejects them until it knows the new secret.
        </ConfirmButton>
      </div>
      <Problem error={show.error ?? rotate.error} />
    </div>
  );
}
