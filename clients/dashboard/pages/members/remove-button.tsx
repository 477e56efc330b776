import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { MemberItem } from '@tollfree/contract/access/member';
import { scopes } from '@tollfree/contract/access/scope';
import { dataOf } from '../../api/data-of.ts';
import { membersQuery } from '../../api/members.ts';
import { routes } from '../../api/routes.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Short } from '../../parts/short.tsx';

export type RemoveButtonProps = { readonly member: MemberItem; readonly refusal: string | undefined };

/** Takes someone else out of the account. */
export function RemoveButton({ member: { wallet }, refusal }: RemoveButtonProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => dataOf(routes.member.remove({ headers: {}, params: { wallet } })),
    onSettled: () => client.invalidateQueries(membersQuery),
  });
  return (
    <div>
      <ConfirmButton
        text="Remove"
        label={`Remove ${wallet}`}
        title="Remove this member?"
        confirm="Remove member"
        needs={scopes}
        refusal={refusal}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          <Short hex={wallet} /> loses access immediately: its sessions end, and the authTokens it created are revoked.
          Programs that use them are refused.
        </p>
      </ConfirmButton>
      <Problem error={remove.error} />
    </div>
  );
}
