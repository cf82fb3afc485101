select code, label from units;
