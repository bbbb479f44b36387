/** Frames to wait for a mark: on a busy machine React draws later than the next one. */
const MAX_FRAMES = 20;

/** Puts the cursor into the first field of a form that is marked as wrong, once the marks are drawn. */
export function focusFirstError(form: HTMLFormElement | null, frames = MAX_FRAMES): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else if (frames > 1) focusFirstError(form, frames - 1);
  });
}
