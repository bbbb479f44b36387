/** The mark: two corner brackets that face each other, with the space for speech between them. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="currentColor">
      <path d="M3 3h11v4H7v8H3zM21 21H10v-4h7V9h4z" />
    </svg>
  );
}
