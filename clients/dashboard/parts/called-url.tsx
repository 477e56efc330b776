import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActionMenu, type MenuAction } from './action-menu.tsx';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Confirm } from './confirm.tsx';
import { Panel } from './panel.tsx';
import { Problem } from './problem.tsx';
import { Value } from './value.tsx';

type CalledUrlProps = {
  readonly what: 'webhook' | 'notification';
  /** Its URL, or what stands for a secret one. */
  readonly url: string;
  /** Absent where calls are not signed. */
  readonly signing?: Signing;
  readonly isActive: boolean;
  /** What it is called for. */
  readonly about: ReactNode;
  /** What programs need of it, folded. */
  readonly details: ReactNode;
  /** Calls it for a test. */
  readonly test: { readonly text: string; readonly onAction: () => void; readonly isPending: boolean };
  /** The form that changes it. */
  readonly edit: { readonly title: string; readonly form: (close: () => void) => ReactNode };
  readonly setActive: (isActive: boolean) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
  readonly whenDeleted: string;
  readonly children: ReactNode;
};

type Secret = { readonly secret: string };
type Signing = {
  readonly readSecret: () => Promise<Secret>;
  readonly rotateSecret: () => Promise<Secret>;
};

/** Where signing secrets do not exist, nothing asks for one. */
const noSecret = () => Promise.reject(new Error('It has no signing secret.'));

/** A URL of the account holder that the service calls, with its state, its secret, and a menu of what can be done with it. */
export function CalledUrl(props: CalledUrlProps) {
  const { what, url, isActive, about, details, test, edit, whenDeleted, children, signing } = props;
  const [open, setOpen] = useState<'edit' | 'secret' | 'delete'>();
  const close = () => setOpen(undefined);
  const update = useMutation({ mutationFn: () => props.setActive(!isActive) });
  const remove = useMutation({ mutationFn: props.remove });
  const show = useMutation({ meta: { onlyReads: true }, gcTime: 0, mutationFn: signing?.readSecret ?? noSecret });
  const rotate = useMutation({
    gcTime: 0,
    mutationFn: signing?.rotateSecret ?? noSecret,
    onSuccess: () => show.reset(),
  });
  const hide = () => {
    show.reset();
    rotate.reset();
  };
  const ofSecret: MenuAction = { text: 'Replace secret…', icon: 'key', onAction: () => setOpen('secret') };
  const actions: readonly MenuAction[] = [
    { text: test.text, icon: 'send', onAction: test.onAction },
    { text: `${edit.title}…`, icon: 'edit', onAction: () => setOpen('edit') },
    ...(signing === undefined ? [] : [ofSecret]),
    { text: isActive ? 'Pause' : 'Resume', icon: isActive ? 'pause' : 'play', onAction: () => update.mutate() },
    { text: 'Delete…', icon: 'trash', onAction: () => setOpen('delete'), isDanger: true },
  ];
  return (
    <div className="stack called-url">
      <div className="called-head">
        <div>
          <h3>
            <code>{url}</code>
          </h3>
          <p>
            <Badge kind={isActive ? 'good' : 'warn'}>{isActive ? 'Active' : 'Paused'}</Badge>{' '}
            <span className="small muted">{about}</span>
          </p>
        </div>
        <ActionMenu
          label={`What to do with ${url}`}
          needs={['manage']}
          isPending={test.isPending || update.isPending || remove.isPending}
          actions={actions}
        />
      </div>
      {children}
      {signing === undefined ? null : (
        <SigningSecret
          secret={show.data?.secret ?? rotate.data?.secret}
          isPending={show.isPending}
          onShow={() => show.mutate()}
          onHide={hide}
        />
      )}
      <details className="more small">
        <summary>For programs</summary>
        <div className="stack">{details}</div>
      </details>
      <Problem error={update.error ?? remove.error ?? show.error ?? rotate.error} />
      <Panel title={edit.title} isOpen={open === 'edit'} onClose={close}>
        {edit.form}
      </Panel>
      <Confirm
        title="Replace the signing secret?"
        confirm="Replace secret"
        isOpen={open === 'secret'}
        onClose={close}
        onConfirm={() => rotate.mutate()}
      >
        Calls are signed with the new secret immediately. Your server rejects them until it knows the new secret.
      </Confirm>
      <Confirm
        title={`Delete this ${what}?`}
        confirm={`Delete ${what}`}
        isOpen={open === 'delete'}
        onClose={close}
        onConfirm={() => remove.mutate()}
      >
        {whenDeleted}
      </Confirm>
    </div>
  );
}

type SigningSecretProps = {
  /** Undefined while it is hidden. */
  readonly secret: string | undefined;
  readonly isPending: boolean;
  readonly onShow: () => void;
  readonly onHide: () => void;
};

/** The secret that signs calls to a URL (Standard Webhooks), shown on request. */
function SigningSecret({ secret, isPending, onShow, onHide }: SigningSecretProps) {
  return (
    <div className="signing-secret small">
      <p role="status">
        <span className="muted">Signing secret</span>{' '}
        {secret === undefined ? <code>whsec_••••••••</code> : <Value text={secret} what="signing secret" />}
      </p>
      {secret === undefined ? (
        <Button kind="quiet" label="Show signing secret" needs={['manage']} isPending={isPending} onPress={onShow}>
          Show
        </Button>
      ) : (
        <Button kind="quiet" label="Hide signing secret" onPress={onHide}>
          Hide
        </Button>
      )}
    </div>
  );
}
