// A component that never draws again, for parts without properties and state.
import { Component, h, type ComponentChildren, type FunctionComponent } from "preact";

export function memo(render: () => ComponentChildren): FunctionComponent {
  class Still extends Component {
    override shouldComponentUpdate(): boolean {
      return false;
    }
    override render(): ComponentChildren {
      return render();
    }
  }
  return () => h(Still, null);
}
