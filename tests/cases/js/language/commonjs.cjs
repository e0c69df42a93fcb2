module.exports = { f, g: 1 }; function f() { return exports; } var f; f = 2; exports.x = require('x');
<!-- html comment
x = 1 <!-- another
--> end
return_ = 1;
