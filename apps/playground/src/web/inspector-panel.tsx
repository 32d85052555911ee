import '@plinth/react/inspector/styles.css';
import { PlinthInspector } from '@plinth/react/inspector';

/** Loaded when it is asked for: whoever makes posters does not pay for it. */
export default PlinthInspector;
