import Def, { Li as Item } from "ui"; import * as NS from "ns"; const LIMIT = 3;
function View(props) { return <Def n={LIMIT} {...props} on><NS.Row key="r">hi {props.name} <b /></NS.Row><><Item /></>{console}</Def>; }
