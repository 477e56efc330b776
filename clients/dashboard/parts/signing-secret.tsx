import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Problem } from './problem.tsx';
import { Value } from './value.tsx';

type Secret = { readonly secret: string };
type SigningSecretProps = {
  readonly read: () => Promise<Secret>;
  readonly rotate: () => Promise<Secret>;
  /** What happens when it is replaced. */
  readonly children: ReactNode;
};

/** The secret that signs calls to a URL (Standard Webhooks), shown on request and replaceable. */
export function SigningSecret({ children, ...calls }: SigningSecretProps) {
  const show = useMutation({ meta: { onlyReads: true }, gcTime: 0, mutationFn: calls.read });
  const rotate = useMutation({ gcTime: 0, mutationFn: calls.rotate, onSuccess: () => show.reset() });
  const secret = show.data?.secret ?? rotate.data?.secret;
  const hide = () => {
    show.reset();
    rotate.reset();
  };
  return (
    <div className="stack">
      <div role="status">
        {secret === undefined ? null : (
          <p>
            Signing secret: <Value text={secret} what="signing secret" />
          </p>
        )}
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
          {children}
        </ConfirmButton>
      </div>
      <Problem error={show.error ?? rotate.error} />
    </div>
  );
}
