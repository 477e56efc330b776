import { useMutation, useQueryClient } from '@tanstack/react-query';
import { bodyOf } from '../../api/body-of.ts';
import { changeSession } from '../../api/change-session.ts';
import { routes } from '../../api/routes.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';

/** Takes the one who looks out of the account. */
export function LeaveButton({ refusal }: { readonly refusal: string | undefined }) {
  const client = useQueryClient();
  const leave = useMutation({
    mutationFn: () => bodyOf(routes.session.leaveAccount({ headers: {} })),
    onSuccess: () => changeSession(client, null),
  });
  return (
    <div>
      <ConfirmButton
        text="Leave"
        title="Leave this account?"
        confirm="Leave account"
        refusal={refusal}
        isPending={leave.isPending}
        onConfirm={() => leave.mutate()}
      >
        Your sessions here end, and the authTokens that you created are revoked. Only an owner can invite you again.
      </ConfirmButton>
      <Problem error={leave.error} />
    </div>
  );
}
