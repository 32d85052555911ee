import { Component, type ReactNode } from 'react';

type ErrorBoundaryProps = { children: ReactNode; fallback: (retry: () => void) => ReactNode };

/** Keeps a host component that throws from taking the whole chat down. React reports the error itself. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed
      ? this.props.fallback(() => this.setState({ failed: false }))
      : this.props.children;
  }
}
