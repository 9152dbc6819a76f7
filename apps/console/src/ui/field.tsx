import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn.js';
import { Said } from './said.js';

const CONTROL =
  'w-full rounded-md border border-edge/60 bg-surface px-2.5 text-sm text-ink shadow-xs disabled:opacity-60 aria-invalid:border-bad';

interface FieldProps {
  readonly label: string;
  /** What to type, in a sentence. */
  readonly hint?: ReactNode;
  /** What is wrong with what was typed. */
  readonly problem?: string | undefined;
  readonly className?: string;
  /** Gets what ties the control to its label, hint and problem. */
  readonly children: (control: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': boolean;
  }) => ReactNode;
}

/** A control with its label. */
export function Field({ label, hint, problem, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}note`;
  const hasNote = problem !== undefined || hint !== undefined;
  return (
    <div className={cn('grid content-start gap-1', className)}>
      <label htmlFor={id} className="text-xs font-medium text-soft">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': hasNote ? noteId : undefined,
        'aria-invalid': problem !== undefined,
      })}
      {hasNote && (
        <p
          id={noteId}
          role={problem === undefined ? undefined : 'alert'}
          className={cn('text-xs', problem === undefined ? 'text-muted' : 'text-bad')}
        >
          {problem ?? hint}
        </p>
      )}
    </div>
  );
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(CONTROL, 'h-8', className)} autoComplete="off" spellCheck={false} {...rest} />;
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly min: number;
  readonly max?: number;
  readonly required?: boolean;
  readonly value: string;
  readonly onType: (value: string) => void;
}

export function NumberField({ label, hint, problem, value, onType, ...rest }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <Input
          {...control}
          {...rest}
          type="number"
          value={value}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cn(CONTROL, 'min-h-20 py-1.5', className)} {...rest} />;
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  readonly options: readonly (string | readonly [value: string, label: string])[];
  readonly onPick?: (value: string) => void;
}

export function Select({ options, onPick, className, ...rest }: SelectProps) {
  return (
    <select
      className={cn(CONTROL, 'h-8', className)}
      onChange={(event) => onPick?.(event.target.value)}
      {...rest}
    >
      {options.map((option) => {
        const [value, label] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={value} value={value}>
            <Said text={label} />
          </option>
        );
      })}
    </select>
  );
}

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onCheck: (checked: boolean) => void;
}

export function Check({ label, hint, checked, disabled = false, onCheck }: CheckProps) {
  return (
    <label className="flex items-start gap-2 text-sm">
      <input
        type="checkbox"
        className="mt-0.5 size-4 accent-accent-fill"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onCheck(event.target.checked)}
      />
      <span>
        <Said text={label} />
        {hint !== undefined && (
          <span className="block text-xs text-muted">
            <Said text={hint} />
          </span>
        )}
      </span>
    </label>
  );
}
